import type { RepeatPolicy } from '../../../domain/grading/policy.ts';
import { preparedUpdate } from '../../db/prepared-query.ts';
import { computeAverages, type Subject } from '../semester-slots.ts';

/** The averages of a semester, in hundredths. */
export interface SemesterAverages {
  semester: number;
  sgpa: number;
  cgpa: number;
}

/**
 * Computes the averages of a student by a repeat policy.
 *
 * @param semesters with the stored averages, in order
 * @param subjects of each of them
 * @returns the semesters with the computed averages, and those averages that differ from the stored ones
 */
export function applyAverages<Semester extends SemesterAverages>(
  semesters: readonly Semester[],
  subjects: readonly (readonly Omit<Subject, 'title'>[])[],
  policy: RepeatPolicy,
): { semesters: Semester[]; changed: SemesterAverages[] } {
  const averages = computeAverages(subjects, policy);
  const changed: SemesterAverages[] = [];
  const computed = semesters.map((stored, i) => {
    const { sgpa, cgpa } = averages[i] ?? stored;
    if (sgpa !== stored.sgpa || cgpa !== stored.cgpa) changed.push({ semester: stored.semester, sgpa, cgpa });
    return { ...stored, sgpa, cgpa };
  });
  return { semesters: computed, changed };
}

export const updateAverages = preparedUpdate(
  'semesters',
  { student_id: 'text', semester: 'integer' },
  { sgpa: 'integer', cgpa: 'integer' },
);
