import type { BulkPlace, BulkPreview } from '../../contract/bulk.ts';
import { DEPARTMENTS } from '../../domain/student.ts';
import type { BulkChange } from './bulk-request.ts';
import { countText } from './list-labels.ts';
import { degreeText } from './student-row.ts';

const students = (count: number) => countText(count, 'exact');
const number = (count: number) => count.toLocaleString('en');

/** What the button does, with how many. */
export function doText(change: BulkChange, count: number): string {
  switch (change.action) {
    case 'next-semester':
      return `Move ${students(count)}`;
    case 'syndicate':
      return `Put ${number(count)} in syndicate ${change.syn}`;
    case 'department':
      return `Put ${number(count)} in ${change.department}`;
    case 'delete':
      return `Delete ${students(count)}`;
  }
}

/** What will happen, in a sentence. */
export function willText(change: BulkChange, count: number): string {
  if (count === 0) return 'Nothing would change.';
  switch (change.action) {
    case 'next-semester':
      return `${students(count)} will move to the next semester.`;
    case 'syndicate':
      return `${students(count)} will be put in syndicate ${change.syn}.`;
    case 'department':
      return `${students(count)} will be put in ${DEPARTMENTS[change.department]}.`;
    case 'delete':
      return `${students(count)} will be deleted, with ${count === 1 ? 'its' : 'their'} family details and results.`;
  }
}

/** Who stays, and why; a sentence each. */
export function stayTexts(change: BulkChange, preview: BulkPreview): string[] {
  const { in_last_semester, as_asked, unknown, unknown_ids } = preview;
  const be = (count: number) => (count === 1 ? 'is' : 'are');
  const texts: string[] = [];
  if (in_last_semester > 0) {
    texts.push(
      `${students(in_last_semester)} ${in_last_semester === 1 ? 'stays' : 'stay'} in semester 8, the last one.`,
    );
  }
  if (as_asked > 0) {
    const where = change.action === 'syndicate' ? 'that syndicate' : 'that department';
    texts.push(`${students(as_asked)} ${be(as_asked)} in ${where} already.`);
  }
  if (unknown > 0) {
    const more = unknown > unknown_ids.length ? ' …' : '';
    texts.push(`${students(unknown)} ${be(unknown)} not there any more: ${unknown_ids.join(', ')}${more}`);
  }
  return texts;
}

/** As much of a student's place as the change is about. */
export function placeText({ action }: BulkChange, place: BulkPlace): string {
  if (action === 'next-semester') return `Semester ${place.current_sem}`;
  if (action === 'delete') return `${degreeText(place)}, semester ${place.current_sem}`;
  return degreeText(place);
}
