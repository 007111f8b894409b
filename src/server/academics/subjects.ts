import { type Academic, academicReply, SLOTS, type SubjectSlots } from '../../contract/academics.ts';
import type { GradedSubject } from '../../domain/gpa.ts';
import { type SemesterRow, type Subject, semesterJson } from './semester-json.ts';

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

export const graded = ({
  credits,
  half_points,
}: Pick<Subject, 'credits' | 'half_points'>): GradedSubject => ({
  credits,
  points: half_points === null ? null : half_points / 2,
});

/** A semester as an object, for the history and the answers to writes. */
export function presentSemester(row: SemesterRow, subjects: readonly Subject[]): Academic {
  return academicReply.parse(JSON.parse(semesterJson(row, subjects)));
}
