import type { BulkAction, BulkPreviewInput, Placement } from '../../../contract/students/bulk.ts';
import type { Student } from '../../../contract/students/students.ts';
import { formatCount, plural } from '../../../domain/format-count.ts';
import { DEPARTMENTS, SEMESTER_COUNT, STATUSES } from '../../../domain/student.ts';
import { isBeforeJoining, type StatusColumns, toStatusColumns } from '../write-student.ts';

/** The change that a bulk change makes to each student. */
export type BulkChange =
  | { action: 'next-semester' }
  | { action: 'syndicate'; to: Pick<Placement, 'syn'> }
  | { action: 'department'; to: Pick<Placement, 'department'> }
  | { action: 'status'; to: StatusColumns }
  | { action: 'delete' };

/** @throws ValidationError on `date` when the status would change in the future */
export function parseChange({ action, syn, department, status, date, reason }: BulkPreviewInput): BulkChange {
  if (action === 'syndicate' && syn !== undefined) return { action, to: { syn } };
  if (action === 'department' && department !== undefined) return { action, to: { department } };
  if (action === 'status' && status !== undefined)
    return { action, to: toStatusColumns({ status, date, reason }) };
  if (action === 'next-semester' || action === 'delete') return { action };
  throw new Error('The contract accepts only complete bulk changes.');
}

/** Why the change leaves a student unchanged; undefined if it changes them. */
export function unchangedReason(
  change: BulkChange,
  student: Placement & Pick<Student, 'joining_date'>,
): 'not_active' | 'in_last_semester' | 'as_asked' | 'joined_later' | undefined {
  switch (change.action) {
    case 'next-semester':
      if (student.status !== 'active') return 'not_active';
      return student.current_sem >= SEMESTER_COUNT ? 'in_last_semester' : undefined;
    case 'syndicate':
      return student.syn === change.to.syn ? 'as_asked' : undefined;
    case 'department':
      return student.department === change.to.department ? 'as_asked' : undefined;
    case 'status':
      if (student.status === change.to.status) return 'as_asked';
      return isBeforeJoining(change.to, student) ? 'joined_later' : undefined;
    case 'delete':
      return undefined;
  }
}

/** A student's placement after the change; null when they are deleted. */
export function placementAfter(
  change: BulkChange,
  { department, degree, syn, current_sem, status, status_date, status_reason }: Placement,
): Placement | null {
  const place = { department, degree, syn, current_sem, status, status_date, status_reason };
  switch (change.action) {
    case 'next-semester':
      return { ...place, current_sem: current_sem + 1 };
    case 'syndicate':
    case 'department':
    case 'status':
      return { ...place, ...change.to };
    case 'delete':
      return null;
  }
}

export function doneText(change: BulkChange, students: number): string {
  const have = `${plural(students, 'student has', 'students have')} been`;
  switch (change.action) {
    case 'next-semester':
      return `${have} moved to the next semester.`;
    case 'syndicate':
      return `${have} put in syndicate ${change.to.syn}.`;
    case 'department':
      return `${have} put in ${DEPARTMENTS[change.to.department]}.`;
    case 'status':
      return `${have} given the status ${STATUSES[change.to.status]}.`;
    case 'delete':
      return `${have} deleted from the database.`;
  }
}

export function undoneText(action: BulkAction, undone: number, left: number): string {
  const all = undone + left;
  const done =
    action === 'delete'
      ? `${plural(undone, 'student has', 'students have')} been restored.`
      : `${plural(undone, 'student is', 'students are')} as before.`;
  if (left === 0) return done;
  return `${done} ${formatCount(left)} of ${formatCount(all)} had been changed since and ${left === 1 ? 'was left as it is' : 'were left as they are'}.`;
}
