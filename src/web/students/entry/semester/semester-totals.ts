import { average, GRADE_LETTERS, gpaSums, gradePoints } from '../../../../domain/grading/gpa.ts';
import { CREDIT_HOURS } from '../../../../domain/student.ts';
import type { SubjectSlot } from './subjects/subject-slots.ts';

export interface SemesterTotals {
  subjects: number;
  credits: number;
  /** The SGPA; null while no subject has both credit hours and a grade. */
  sgpa: number | null;
}

/** The totals of the form; invalid credit hours don't count. */
export function semesterTotals(slots: readonly SubjectSlot[]): SemesterTotals {
  const subjects = slots.filter((slot) => slot.shown);
  const graded = subjects.map((slot) => {
    const letter = GRADE_LETTERS.find((grade) => grade === slot.grade);
    return { credits: creditHours(slot.credit), points: letter === undefined ? null : gradePoints(letter) };
  });
  const sums = gpaSums(graded);
  return {
    subjects: subjects.length,
    credits: graded.reduce((total, subject) => total + (subject.credits ?? 0), 0),
    sgpa: sums.credits === 0 ? null : average(sums),
  };
}

function creditHours(typed: string): number | null {
  const hours = typed.trim() === '' ? Number.NaN : Number(typed);
  const isValid = Number.isInteger(hours) && hours >= CREDIT_HOURS.min && hours <= CREDIT_HOURS.max;
  return isValid ? hours : null;
}
