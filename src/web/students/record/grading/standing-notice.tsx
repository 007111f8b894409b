import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { StandingTag } from '../../standing-tag.tsx';
import { standingQuery } from './grading-queries.ts';

/** The standing of a student with the rule that led to it, and below it that of each semester that was not good. */
export function StandingNotice({ studentId }: { studentId: string }) {
  const { data } = useQuery(standingQuery(studentId));
  if (data === undefined || data.standing === null) return null;
  const notable = data.semesters.filter(({ clause }) => clause !== null);
  return (
    <div className="border-line border-t px-5 py-3 max-md:px-3.5">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-fg-2 text-label">
        <StandingTag standing={data.standing} />
        <span className="wrap-anywhere min-w-0">
          {data.clause ?? 'No rule on warning or probation applies.'}
        </span>
      </p>
      {notable.length > 0 && (
        <details className="group mt-1.5">
          <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-1 text-ink-text text-label [&::-webkit-details-marker]:hidden">
            Standing by semester
            <ChevronDown className="size-4 group-open:rotate-180" strokeWidth={1.75} aria-hidden="true" />
          </summary>
          <ul className="mt-1.5 grid gap-2">
            {notable.map(({ semester, standing, clause }) => (
              <li key={semester} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-label">
                <b className="font-[560]">Semester {semester}</b>
                {standing !== null && <StandingTag standing={standing} />}
                <span className="wrap-anywhere min-w-0 text-fg-2">{clause}</span>
              </li>
            ))}
          </ul>
          <p className="mt-2 text-caption text-fg-3">By grading policy {data.policy_id}.</p>
        </details>
      )}
    </div>
  );
}
