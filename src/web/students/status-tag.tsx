import type { Student } from '../../contract/students.ts';
import { STATUSES } from '../../domain/student.ts';
import { formatDate } from '../lib/format.ts';
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
