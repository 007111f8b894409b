import type { StandingReply, WaitingFor } from '../../../../contract/grading/grading.ts';
import { plural } from '../../../lib/format.ts';

export type StandingSemester = StandingReply['semesters'][number];

/** The classes that a semester waits for, each with its mark sheets, such as "CE-50, semester 1, Fall 2026". */
export function classesWaitedFor(sheets: readonly WaitingFor[]): { name: string; sheets: WaitingFor[] }[] {
  const classes = new Map<string, WaitingFor[]>();
  for (const sheet of sheets) {
    const name = `${sheet.department}-${sheet.degree}, semester ${sheet.semester}, ${sheet.term_name}`;
    classes.set(name, [...(classes.get(name) ?? []), sheet]);
  }
  return [...classes].map(([name, own]) => ({ name, sheets: own }));
}

/** The number of subjects of a semester that a mark sheet left incomplete. */
export const countIncomplete = (semester: Pick<StandingSemester, 'ungraded'> | undefined): number =>
  semester?.ungraded.filter(({ status }) => status === 'incomplete').length ?? 0;

/** "1 subject is incomplete." */
export const incompleteText = (count: number): string =>
  plural(count, 'subject is incomplete', 'subjects are incomplete');
