import {
  type Academic,
  SLOTS,
  type Slot,
  type SubjectSlots,
  subjectSlots,
} from '../../contract/academics.ts';
import type { GradedSubject } from '../../domain/gpa.ts';

/** One filled slot of a semester, in the terms of the table. */
export interface Subject {
  slot: Slot;
  title: string;
  course_id: number | null;
  credits: number | null;
  half_points: number | null;
}

/** The filled slots of a semester as it was sent. */
export function subjectsOf(input: SubjectSlots): Subject[] {
  return SLOTS.flatMap((slot) => {
    const title = input[`subject_${slot}`];
    if (title === null) return [];
    const points = input[`subj_grade_${slot}`];
    return {
      slot,
      title,
      course_id: input[`subject_${slot}_id`],
      credits: input[`subj_credit_${slot}`],
      half_points: points === null ? null : points * 2,
    };
  });
}

export const graded = ({ credits, half_points }: Subject): GradedSubject => ({
  credits,
  points: half_points === null ? null : half_points / 2,
});

/** What a semester is beside its subjects; averages in hundredths. */
export interface SemesterRow {
  academic_id: number;
  student_id: string;
  semester: number;
  sgpa: number;
  cgpa: number;
}

const EMPTY_SLOTS = subjectSlots.parse({});

/** A semester as it is answered: ten numbered slots, the empty ones null, grades as points. */
export function presentSemester(row: SemesterRow, subjects: readonly Subject[]): Academic {
  const slots: SubjectSlots = { ...EMPTY_SLOTS };
  for (const { slot, title, course_id, credits, half_points } of subjects) {
    slots[`subject_${slot}`] = title;
    slots[`subject_${slot}_id`] = course_id;
    slots[`subj_credit_${slot}`] = credits;
    slots[`subj_grade_${slot}`] = half_points === null ? null : half_points / 2;
  }
  return {
    academic_id: row.academic_id,
    student_id: row.student_id,
    semester: row.semester,
    ...slots,
    sgpa: row.sgpa / 100,
    cgpa: row.cgpa / 100,
  };
}
