import type { BulkAction, BulkPlace, BulkPreviewInput } from '../../../contract/bulk.ts';
import { DEPARTMENTS, SEMESTER_COUNT } from '../../../domain/student.ts';

/** What is asked of each student. */
export type Change =
  | { action: 'next-semester' }
  | { action: 'syndicate'; to: Pick<BulkPlace, 'syn'> }
  | { action: 'department'; to: Pick<BulkPlace, 'department'> }
  | { action: 'delete' };

export function changeOf({ action, syn, department }: BulkPreviewInput): Change {
  if (action === 'syndicate' && syn !== undefined) return { action, to: { syn } };
  if (action === 'department' && department !== undefined) return { action, to: { department } };
  if (action === 'next-semester' || action === 'delete') return { action };
  throw new Error('The contract has let a change pass that does not say what to.');
}

/** Why a student stays as they are, where they do. */
export function whyStays(change: Change, student: BulkPlace): 'in_last_semester' | 'as_asked' | undefined {
  switch (change.action) {
    case 'next-semester':
      return student.current_sem >= SEMESTER_COUNT ? 'in_last_semester' : undefined;
    case 'syndicate':
      return student.syn === change.to.syn ? 'as_asked' : undefined;
    case 'department':
      return student.department === change.to.department ? 'as_asked' : undefined;
    case 'delete':
      return undefined;
  }
}

/** How a student is afterwards; null when they are gone. */
export function placeAfter(
  change: Change,
  { department, degree, syn, current_sem }: BulkPlace,
): BulkPlace | null {
  const place = { department, degree, syn, current_sem };
  switch (change.action) {
    case 'next-semester':
      return { ...place, current_sem: current_sem + 1 };
    case 'syndicate':
    case 'department':
      return { ...place, ...change.to };
    case 'delete':
      return null;
  }
}

export function doneText(change: Change, students: number): string {
  const have = `${count(students)} ${students === 1 ? 'has' : 'have'} been`;
  switch (change.action) {
    case 'next-semester':
      return `${have} moved to the next semester.`;
    case 'syndicate':
      return `${have} put in syndicate ${change.to.syn}.`;
    case 'department':
      return `${have} put in ${DEPARTMENTS[change.to.department]}.`;
    case 'delete':
      return `${have} deleted from the database.`;
  }
}

export function undoneText(action: BulkAction, undone: number, left: number): string {
  const all = undone + left;
  const done =
    action === 'delete'
      ? `${count(undone)} ${undone === 1 ? 'has' : 'have'} been restored.`
      : `${count(undone)} ${undone === 1 ? 'is' : 'are'} as before.`;
  if (left === 0) return done;
  return `${done} ${left.toLocaleString('en')} of ${all.toLocaleString('en')} had been changed since and ${left === 1 ? 'was left as it is' : 'were left as they are'}.`;
}

const count = (students: number) =>
  `${students.toLocaleString('en')} ${students === 1 ? 'student' : 'students'}`;
