import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsTeacher } from '../lib/session.ts';
import { fullName } from './student-format.ts';

interface RecordLinkProps {
  id: string;
  className: string;
  children: string;
}

/** A link to the record of a student; the text alone for teachers, who see no records. */
export function RecordLink({ id, className, children }: RecordLinkProps) {
  if (useIsTeacher()) return children;
  return (
    <Link to="/students/$studentId" params={{ studentId: id }} className={className}>
      {children}
    </Link>
  );
}

interface StudentLinkProps {
  id: string;
  student: { first_name: string; last_name: string };
  /** Stands under the name. */
  children: ReactNode;
  /** Where the line under the name is shown; everywhere without it. */
  lineClass?: string;
}

/** The name of a student in a table as a link to the record, with a line under it. */
export function StudentLink({ id, student, children, lineClass = '' }: StudentLinkProps) {
  return (
    <>
      <RecordLink id={id} className="link link-quiet inline-block leading-6">
        {fullName(student)}
      </RecordLink>
      <span className={`block font-normal text-caption text-fg-3 ${lineClass}`}>{children}</span>
    </>
  );
}
