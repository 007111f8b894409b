import { plural } from '../../../lib/format.ts';
import { isEmptySlot, type SubjectSlot } from './subjects/subject-slots.ts';

/** The subjects that lack something that the averages need, each by its title. */
export interface SemesterGaps {
  grade: string[];
  credit: string[];
}

export function findGaps(slots: readonly SubjectSlot[]): SemesterGaps {
  const lacking = (field: 'grade' | 'credit') =>
    slots.flatMap((slot, i) =>
      isEmptySlot(slot) || slot[field].trim() !== '' ? [] : [slot.title.trim() || `Subject ${i + 1}`],
    );
  return { grade: lacking('grade'), credit: lacking('credit') };
}

/** Asks whether to save in spite of the gaps; undefined without any. */
export function gapsQuestion({ grade, credit }: SemesterGaps): string | undefined {
  const subjects = ({ length }: readonly string[]) => plural(length, 'subject has', 'subjects have');
  const parts = [
    ...(grade.length === 0 ? [] : [`${subjects(grade)} no grade`]),
    ...(credit.length === 0 ? [] : [`${subjects(credit)} no credit hours`]),
  ];
  return parts.length === 0 ? undefined : `${parts.join(' and ')}. Save anyway?`;
}
