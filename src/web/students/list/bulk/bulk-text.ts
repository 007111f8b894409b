import type { BulkPreview, ListedBulkChange, Placement } from '../../../../contract/students/bulk.ts';
import { DEPARTMENTS, STATUS_CODES, STATUSES } from '../../../../domain/student.ts';
import { formatCount, formatStudentCount, plural } from '../../../lib/format.ts';
import { formatDegree } from '../../student-format.ts';
import type { BulkChange } from './use-bulk.ts';

/** The text of the button that applies a change. */
export function actionLabel(change: BulkChange, count: number): string {
  switch (change.action) {
    case 'next-semester':
      return `Move ${formatStudentCount(count)}`;
    case 'syndicate':
      return `Put ${formatCount(count)} in syndicate ${change.syn}`;
    case 'department':
      return `Put ${formatCount(count)} in ${change.department}`;
    case 'status':
      return `Set ${formatStudentCount(count)} to ${STATUSES[change.status]}`;
    case 'delete':
      return `Delete ${formatStudentCount(count)}`;
  }
}

/** The effect of a past change, as the predicate after a name. */
export function pastText({ action, students }: Pick<ListedBulkChange, 'action' | 'students'>): string {
  switch (action) {
    case 'next-semester':
      return `moved ${formatStudentCount(students)} to the next semester`;
    case 'syndicate':
      return `put ${formatStudentCount(students)} in another syndicate`;
    case 'department':
      return `put ${formatStudentCount(students)} in another department`;
    case 'status':
      return `changed the status of ${formatStudentCount(students)}`;
    case 'delete':
      return `deleted ${formatStudentCount(students)}`;
  }
}

/** The effect of a change, as a sentence. */
export function effectText(change: BulkChange, count: number): string {
  if (count === 0) return 'Nothing would change.';
  switch (change.action) {
    case 'next-semester':
      return `${formatStudentCount(count)} will move to the next semester.`;
    case 'syndicate':
      return `${formatStudentCount(count)} will be put in syndicate ${change.syn}.`;
    case 'department':
      return `${formatStudentCount(count)} will be put in ${DEPARTMENTS[change.department]}.`;
    case 'status':
      return `${formatStudentCount(count)} will be given the status ${STATUSES[change.status]}.`;
    case 'delete':
      return `${formatStudentCount(count)} will be deleted, with ${count === 1 ? 'its' : 'their'} family details and results.`;
  }
}

/** Which students do not change, and why; a sentence for each reason. */
export function unchangedTexts(change: BulkChange, preview: BulkPreview): string[] {
  const { in_last_semester, not_active, as_asked, joined_later, unknown, unknown_ids } = preview;
  const texts: string[] = [];
  const others = STATUS_CODES.flatMap((status) => {
    const count = status === 'active' ? 0 : not_active[status];
    return count === 0 ? [] : `${formatCount(count)} ${STATUSES[status].toLowerCase()}`;
  });
  if (others.length > 0) texts.push(`Not active, so they stay where they are: ${others.join(', ')}.`);
  if (in_last_semester > 0) {
    texts.push(`${plural(in_last_semester, 'student stays', 'students stay')} in semester 8, the last one.`);
  }
  if (as_asked > 0) {
    texts.push(`${formatStudentCount(as_asked)} ${asAskedText(change, as_asked === 1)} already.`);
  }
  if (joined_later > 0) {
    texts.push(
      `${formatStudentCount(joined_later)} joined after that date and ${joined_later === 1 ? 'keeps' : 'keep'} the present status.`,
    );
  }
  if (unknown > 0) {
    const more = unknown > unknown_ids.length ? ' …' : '';
    texts.push(
      `${plural(unknown, 'student is', 'students are')} not there any more: ${unknown_ids.join(', ')}${more}`,
    );
  }
  return texts;
}

function asAskedText({ action }: BulkChange, isOne: boolean): string {
  if (action === 'status') return isOne ? 'has that status' : 'have that status';
  return `${isOne ? 'is' : 'are'} in that ${action}`;
}

/** The part of a student's placement that the change affects. */
export function enrolmentText({ action }: BulkChange, placement: Placement): string {
  if (action === 'next-semester') return `Semester ${placement.current_sem}`;
  if (action === 'delete') return `${formatDegree(placement)}, semester ${placement.current_sem}`;
  if (action === 'status') return STATUSES[placement.status];
  return formatDegree(placement);
}
