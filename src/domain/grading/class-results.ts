import { roundHalfUp } from './gpa.ts';

export interface Ranked<Student> {
  student: Student;
  /** 1 for the highest; equal values share a rank, and the next rank is skipped (1 2 2 4). */
  rank: number;
  /** (students below + half of those with the same value) ÷ all, in percent with two decimals. */
  percentile: number;
}

/**
 * Competition ranking by a printed value.
 *
 * @returns highest first, students with equal values in the order given
 */
export function rankStudents<Student extends { value: number }>(
  students: readonly Student[],
): Ranked<Student>[] {
  const sorted = students.toSorted((a, b) => b.value - a.value);
  const firstByValue = new Map<number, number>();
  const countByValue = new Map<number, number>();
  for (const [i, { value }] of sorted.entries()) {
    if (!firstByValue.has(value)) firstByValue.set(value, i);
    countByValue.set(value, (countByValue.get(value) ?? 0) + 1);
  }
  return sorted.map((student) => {
    const above = firstByValue.get(student.value) ?? 0;
    const equal = countByValue.get(student.value) ?? 1;
    const below = sorted.length - above - equal;
    return {
      student,
      rank: above + 1,
      percentile: roundHalfUp(100 * (2 * below + equal), 2 * sorted.length, 2) / 100,
    };
  });
}

/** The results of a student in one semester. */
export interface SemesterResults {
  /** The SGPA as printed: two decimals. */
  sgpa: number;
  /** Subjects with an F. */
  fails: number;
  /** It has subjects, none of which is incomplete or without an entry; withdrawn and excused ones are final. */
  isComplete: boolean;
  /** At least one subject has a grade, so there is an SGPA. */
  isGraded: boolean;
  isProvisional: boolean;
}

export interface ResultSummary {
  /** Students with results that are not provisional. */
  entered: number;
  provisional: number;
  /** Entered students whose results are all final. */
  complete: number;
  /** Complete students without an F. */
  passed_all: number;
  /** Entered students by the number of their F: what is missing takes none back. */
  fails: { '1': number; '2': number; '3+': number };
  /** passed_all ÷ complete, 0 to 1, two decimals; null when nothing is complete. */
  pass_share: number | null;
  /** The mean of the printed SGPAs of complete students with a grade, two decimals; null when there is none. */
  mean_sgpa: number | null;
  median_sgpa: number | null;
  highest_sgpa: number | null;
}

/** The students that the counts of a {@link ResultSummary} are of; `incomplete` are those entered who are not complete. */
export const RESULT_GROUPS = ['entered', 'complete', 'incomplete', 'passed', '1', '2', '3+'] as const;
export type ResultGroup = (typeof RESULT_GROUPS)[number];

const IS_IN_GROUP: Readonly<
  Record<ResultGroup, (results: Pick<SemesterResults, 'fails' | 'isComplete'>) => boolean>
> = {
  entered: () => true,
  complete: ({ isComplete }) => isComplete,
  incomplete: ({ isComplete }) => !isComplete,
  passed: ({ isComplete, fails }) => isComplete && fails === 0,
  '1': ({ fails }) => fails === 1,
  '2': ({ fails }) => fails === 2,
  '3+': ({ fails }) => fails >= 3,
};

/** Whether a student with results that are not provisional is one of a group. */
export const isInResultGroup = (
  results: Pick<SemesterResults, 'fails' | 'isComplete'>,
  group: ResultGroup,
): boolean => IS_IN_GROUP[group](results);

/** The results of a class in one semester. */
export function summariseResults(students: readonly SemesterResults[]): ResultSummary {
  const entered = students.filter(({ isProvisional }) => !isProvisional);
  const complete = entered.filter((one) => isInResultGroup(one, 'complete'));
  const count = (group: ResultGroup) => entered.filter((one) => isInResultGroup(one, group)).length;
  const averaged = complete.filter(({ isGraded }) => isGraded);
  const hundredths = averaged.map(({ sgpa }) => Math.round(sgpa * 100)).toSorted((a, b) => a - b);
  const at = (index: number) => hundredths[index] ?? 0;
  const n = hundredths.length;
  const shown = (numerator: number, denominator: number) =>
    n === 0 ? null : roundHalfUp(numerator, denominator, 0) / 100;
  const passed = count('passed');
  return {
    entered: entered.length,
    provisional: students.length - entered.length,
    complete: complete.length,
    passed_all: passed,
    fails: { '1': count('1'), '2': count('2'), '3+': count('3+') },
    pass_share: complete.length === 0 ? null : roundHalfUp(passed, complete.length, 2) / 100,
    mean_sgpa: shown(
      hundredths.reduce((sum, one) => sum + one, 0),
      n,
    ),
    median_sgpa: shown(at(Math.floor((n - 1) / 2)) + at(Math.floor(n / 2)), 2),
    highest_sgpa: shown(at(n - 1), 1),
  };
}
