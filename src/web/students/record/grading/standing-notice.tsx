import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { StandingReply } from '../../../../contract/grading/grading.ts';
import type { Standing } from '../../../../domain/student.ts';
import { StandingTag } from '../../../ui/standing-tag.tsx';
import { standingQuery } from './grading-queries.ts';

/** The standing of a student with the rule that led to it, and below it that of each semester that was not good. */
export function StandingNotice({ studentId }: { studentId: string }) {
  const { data } = useQuery(standingQuery(studentId));
  if (data === undefined || data.standing === null) return null;
  const notable = data.semesters.filter(({ clause, now }) => clause !== null || now !== undefined);
  const policies = new Set(data.semesters.flatMap((one) => (one.standing === null ? [] : one.policy_id)));
  return (
    <div className="border-line border-t px-5 py-3 max-md:px-3.5">
      <p className={line}>
        <StandingTag standing={data.standing} />
        <span className="wrap-anywhere min-w-0">{clauseText(data)}</span>
      </p>
      <Today {...data} />
      {notable.length > 0 && (
        <details className="group mt-1.5">
          <summary className="flex min-h-6 w-fit cursor-pointer items-center gap-1 text-ink-text text-label [&::-webkit-details-marker]:hidden">
            Standing by semester
            <ChevronDown className="size-4 group-open:rotate-180" />
          </summary>
          <ul className="mt-1.5 grid gap-2">
            {notable.map((one) => (
              <li key={one.semester}>
                <p className={line}>
                  <b className="font-[560] text-fg">Semester {one.semester}</b>
                  {one.standing !== null && <StandingTag standing={one.standing} />}
                  <span className="wrap-anywhere min-w-0">{clauseText(one)}</span>
                  {policies.size > 1 && <span className="text-fg-3">Policy {one.policy_id}</span>}
                </p>
                <Today {...one} />
              </li>
            ))}
          </ul>
          {policies.size === 1 && (
            <p className="mt-2 text-caption text-fg-3">By grading policy {data.policy_id}.</p>
          )}
        </details>
      )}
    </div>
  );
}

const line = 'flex flex-wrap items-center gap-x-2.5 gap-y-1 text-fg-2 text-label';

type Shown = Pick<StandingReply, 'standing' | 'clause' | 'policy_id'>;

const clauseText = ({ clause }: { clause: string | null }) => clause ?? 'No warning or probation.';

/** The standing of today, where it differs from the one that was notified. */
function Today({ now, policy_id }: Pick<StandingReply, 'policy_id' | 'now'>) {
  if (now === undefined) return null;
  return (
    <p className={`${line} mt-1.5`}>
      <span className="text-fg-3">As notified. Today it would be</span>
      <NowTag standing={now.standing} />
      <span className="wrap-anywhere min-w-0">
        {now.standing !== null && clauseText(now)} {policiesText(policy_id, now)}
      </span>
    </p>
  );
}

function NowTag({ standing }: { standing: Standing | null }) {
  return standing === null ? <span>none, without a grade.</span> : <StandingTag standing={standing} />;
}

const policiesText = (notifiedBy: number, { policy_id }: Shown) =>
  policy_id === notifiedBy ? '' : `By policy ${policy_id}; it was notified by policy ${notifiedBy}.`;
