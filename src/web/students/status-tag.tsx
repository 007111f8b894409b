import type { Student } from '../../contract/students/students.ts';
import { STATUSES } from '../../domain/student.ts';
import { formatDate } from '../lib/format.ts';
import { classNames } from '../ui/class-names.ts';
import { Tag } from '../ui/tag.tsx';

interface StatusTagProps {
  student: Pick<Student, 'status' | 'status_date'>;
  className?: string;
}

/** The status of a student who is not active. */
export function StatusTag({ student: { status, status_date }, className }: StatusTagProps) {
  if (status === 'active') return null;
  return (
    <span className={className} title={status_date === null ? undefined : `Since ${formatDate(status_date)}`}>
      <Tag>{STATUSES[status]}</Tag>
    </span>
  );
}

interface StatusLineProps {
  student: Pick<Student, 'status' | 'status_date' | 'status_reason'>;
  className: string;
}

/** The status of a student who is not active, since when and why. */
export function StatusLine({ student, className }: StatusLineProps) {
  const { status, status_date, status_reason } = student;
  if (status === 'active') return null;
  return (
    <p className={classNames('flex flex-wrap items-center gap-x-2 gap-y-1 text-fg-2 text-label', className)}>
      <StatusTag student={student} />
      {status_date !== null && <span>since {formatDate(status_date)}</span>}
      {status_reason !== null && <span className="wrap-anywhere">{status_reason}</span>}
    </p>
  );
}
