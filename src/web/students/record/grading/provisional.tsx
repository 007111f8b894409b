import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Tag } from '../../../ui/tag.tsx';
import { standingQuery } from './grading-queries.ts';
import {
  classesWaitedFor,
  countIncomplete,
  incompleteText,
  type StandingSemester,
} from './provisional-text.ts';

/** The semesters of a student with what their standing follows from; empty until they are read. */
export const useStandingSemesters = (studentId: string): readonly StandingSemester[] =>
  useQuery(standingQuery(studentId)).data?.semesters ?? [];

/** Beside a figure that may still change. */
export const ProvisionalTag = () => <Tag tone="warn">Provisional</Tag>;

/** Beside the SGPA of a semester with subjects that a mark sheet left incomplete; nothing without any. */
export function IncompleteTag({ semester }: { semester: StandingSemester | undefined }) {
  const count = countIncomplete(semester);
  if (count === 0) return null;
  return (
    <Tag tone="warn">
      <span aria-hidden title={incompleteText(count)}>
        I
      </span>
      <span className="sr-only">{incompleteText(count)}</span>
    </Tag>
  );
}

/** Says what the provisional results of these semesters wait for; empty without any. */
export function ProvisionalNote({
  semesters,
  className = '',
}: {
  semesters: readonly StandingSemester[];
  className?: string;
}) {
  const provisional = semesters.filter((one) => one.provisional);
  if (provisional.length === 0) return null;
  return (
    <div className={`grid gap-1 text-fg-2 text-label ${className}`}>
      {provisional.map((one) => (
        <p key={one.semester} className="wrap-anywhere">
          Semester {one.semester} is provisional until the class is notified
          <WaitingFor semester={one} />.
        </p>
      ))}
      <p>Standing and rank are of final results.</p>
    </div>
  );
}

function WaitingFor({ semester: { waiting_for } }: { semester: StandingSemester }) {
  return classesWaitedFor(waiting_for).map(({ name, sheets }, i) => (
    <Fragment key={name}>
      {i === 0 ? ': ' : '; '}
      {name} (
      {sheets.map(({ sheet_id, title }, at) => (
        <Fragment key={sheet_id}>
          {at > 0 && ', '}
          <Link
            to="/marksheets/$sheetId"
            params={{ sheetId: String(sheet_id) }}
            className="text-ink-text underline underline-offset-3"
          >
            {title}
          </Link>
        </Fragment>
      ))}
      )
    </Fragment>
  ));
}
