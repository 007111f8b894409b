import { SLOTS, type Slot } from '../../contract/academics.ts';

/** One filled slot of a semester, in the terms of the table. */
export interface Subject {
  slot: Slot;
  title: string;
  course_id: number | null;
  credits: number | null;
  half_points: number | null;
}

/** What a semester is beside its subjects; averages in hundredths. */
export interface SemesterRow {
  academic_id: number;
  student_id: string;
  semester: number;
  sgpa: number;
  cgpa: number;
}

const emptySlot = (slot: Slot) =>
  `"subject_${slot}":null,"subject_${slot}_id":null,"subj_credit_${slot}":null,"subj_grade_${slot}":null`;

const EMPTY_SLOTS = SLOTS.map(emptySlot);

/**
 * A semester as it is answered: ten numbered slots, the empty ones null, grades as points. Written as text at once:
 * a record has up to 320 of these members, and building them as an object first costs four times as much.
 */
export function semesterJson(row: SemesterRow, subjects: readonly Subject[]): string {
  const slots = EMPTY_SLOTS.slice();
  for (const { slot, title, course_id, credits, half_points } of subjects) {
    slots[slot - 1] =
      `"subject_${slot}":${JSON.stringify(title)},"subject_${slot}_id":${course_id},"subj_credit_${slot}":${credits},"subj_grade_${slot}":${half_points === null ? null : half_points / 2}`;
  }
  return `{"academic_id":${row.academic_id},"student_id":${JSON.stringify(row.student_id)},"semester":${row.semester},${slots.join()},"sgpa":${row.sgpa / 100},"cgpa":${row.cgpa / 100}}`;
}
