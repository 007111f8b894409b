import { average, gpaSums } from '../../domain/gpa.ts';
import { GRADE_LETTERS, gradePoints } from '../../domain/grade-scale.ts';
import { CREDIT_HOURS } from '../../domain/student.ts';
import type { SubjectSlot } from './subject-slots.ts';

export interface SemesterTotals {
  subjects: number;
  credits: number;
  /** What the SGPA would be, or null while no subject has both credit hours and a grade. */
  sgpa: number | null;
}

/** Totals of what stands in the form now; credit hours that are not legal don't count. */
export function semesterTotals(slots: readonly SubjectSlot[]): SemesterTotals {
  const shown = slots.filter((slot) => slot.shown);
  const graded = shown.map((slot) => {
    const letter = GRADE_LETTERS.find((candidate) => candidate === slot.grade);
    return { credits: creditHours(slot.credit), points: letter === undefined ? null : gradePoints(letter) };
  });
  const sums = gpaSums(graded);
  return {
    subjects: shown.length,
    credits: graded.reduce((total, subject) => total + (subject.credits ?? 0), 0),
    sgpa: sums.credits === 0 ? null : average(sums),
  };
}

function creditHours(typed: string): number | null {
  const hours = typed.trim() === '' ? Number.NaN : Number(typed);
  const isLegal = Number.isInteger(hours) && hours >= CREDIT_HOURS.min && hours <= CREDIT_HOURS.max;
  return isLegal ? hours : null;
}
