import type { Academic, Slot } from '../../contract/academics.ts';
import { type GradeLetter, gradeLetter } from '../../domain/grade-scale.ts';

/** A subject of a recorded semester. */
export interface RecordedSubject {
  slot: Slot;
  title: string;
  courseId: number | null;
  credit: number | null;
  grade: GradeLetter | undefined;
}

const SLOT_NUMBERS: readonly Slot[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The subjects of a semester in their order; empty places are left out. */
export function subjectsOf(academic: Academic): RecordedSubject[] {
  return SLOT_NUMBERS.flatMap((slot) => {
    const title = academic[`subject_${slot}`];
    if (title === null) return [];
    const points = academic[`subj_grade_${slot}`];
    return {
      slot,
      title,
      courseId: academic[`subject_${slot}_id`],
      credit: academic[`subj_credit_${slot}`],
      grade: points === null ? undefined : gradeLetter(points),
    };
  });
}
