import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fullName } from './student-format.ts';

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
      <Link
        to="/students/$studentId"
        params={{ studentId: id }}
        className="link link-quiet inline-block leading-6"
      >
        {fullName(student)}
      </Link>
      <span className={`block font-normal text-caption text-fg-3 ${lineClass}`}>{children}</span>
    </>
  );
}
