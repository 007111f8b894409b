import { SEMESTER_COUNT } from '../student.ts';

/** The figures that a subject contributes to a grade point average. It counts only if neither is null. */
export interface GradedSubject {
  /** Whole credit hours, 1 to 6; null when not given. */
  credits: number | null;
  /** Grade points 0 to 4 in steps of 0.5; null when not given. */
  points: number | null;
}

/** Exact sums behind an average. Whole numbers: credit hours, and credit hours × half-points ÷ `parts`. */
export interface GpaSums {
  credits: number;
  halfPoints: number;
  /** The parts of a half-point in which `halfPoints` is counted; 1 unless attempts are averaged. */
  parts?: number;
}

export interface SemesterGpa {
  /** Semester average, 0 to 4, two decimals. */
  sgpa: number;
  /** Cumulative average up to and including this semester, 0 to 4, two decimals. */
  cgpa: number;
}

/** Sums over the subjects that have both a credit and a grade; the others carry no weight. */
export function gpaSums(subjects: readonly GradedSubject[]): GpaSums {
  let credits = 0;
  let halfPoints = 0;
  for (const subject of subjects) {
    if (subject.credits === null || subject.points === null) continue;
    credits += subject.credits;
    halfPoints += subject.credits * subject.points * 2;
  }
  return { credits, halfPoints };
}

/**
 * Rounds a fraction half up, in whole numbers: ⌊n ÷ d + ½⌋ = ⌊(2n + d) ÷ 2d⌋.
 *
 * @param numerator 0 or more
 * @param denominator more than 0
 * @returns the fraction with this many decimals, as a whole number of its last decimal
 */
export function roundHalfUp(numerator: number, denominator: number, decimals: number): number {
  const sum = 2 * numerator * 10 ** decimals + denominator;
  return (sum - (sum % (2 * denominator))) / (2 * denominator);
}

/** Σ(credit × points) ÷ Σ credit, rounded half up to two decimals; 0 when nothing is graded. */
export function average({ credits, halfPoints, parts = 1 }: GpaSums): number {
  return credits === 0 ? 0 : roundHalfUp(halfPoints, 2 * credits * parts, 2) / 100;
}

/** A recorded semester, as the CGPA of a student follows from it. */
export interface RecordedSemester {
  /** Up to and including this semester; in grade points or hundredths. */
  cgpa: number;
  /** It has a subject with both credit hours and a grade. */
  isGraded: boolean;
}

/** A CGPA and the last semester that it includes. */
export interface CgpaAfter {
  cgpa: number;
  semester: number;
}

/**
 * The CGPA shown on a record: that of the semester before the current one; when there is none (first semester, not recorded,
 * or nothing graded up to it), that of the latest recorded semester; nothing graded at all: null.
 *
 * @param semesters index 0 = semester 1, without holes
 * @param currentSemester 1 to 8
 */
export function latestCgpa(
  semesters: readonly RecordedSemester[],
  currentSemester: number,
): CgpaAfter | null {
  return cgpaAfter(semesters, currentSemester - 1) ?? cgpaAfter(semesters, semesters.length);
}

/**
 * The CGPA after the last semester that is shown on a record; null where that is {@link latestCgpa}.
 *
 * @param semesters index 0 = semester 1, without holes
 * @param currentSemester 1 to 8; results of later semesters are not shown
 */
export function currentCgpa(
  semesters: readonly RecordedSemester[],
  currentSemester: number,
): CgpaAfter | null {
  const last = cgpaAfter(semesters, Math.min(semesters.length, currentSemester));
  const latest = latestCgpa(semesters, currentSemester);
  return last === null || latest === null || last.semester <= latest.semester ? null : last;
}

/** The CGPA of a whole degree; null until the student is in the last semester and the results of all are recorded. */
export function finalCgpa(semesters: readonly RecordedSemester[], currentSemester: number): number | null {
  if (currentSemester !== SEMESTER_COUNT || semesters.length < SEMESTER_COUNT) return null;
  return cgpaAfter(semesters, SEMESTER_COUNT)?.cgpa ?? null;
}

/** An average over no grades is 0, and so is one over F only; the first is no CGPA. */
function cgpaAfter(semesters: readonly RecordedSemester[], semester: number): CgpaAfter | null {
  const last = semesters[semester - 1];
  if (last === undefined || !semesters.slice(0, semester).some(({ isGraded }) => isGraded)) return null;
  return { cgpa: last.cgpa, semester };
}

/**
 * Letter grades of the faculty and their grade points (specification, section 9).
 * Points are kept as whole half-points, so that sums are exact.
 */
export const GRADE_LETTERS = ['A', 'B+', 'B', 'C+', 'C', 'D+', 'D', 'F'] as const;

export type GradeLetter = (typeof GRADE_LETTERS)[number];

const HALF_POINTS: Record<GradeLetter, number> = { A: 8, 'B+': 7, B: 6, 'C+': 5, C: 4, 'D+': 3, D: 2, F: 0 };

const LETTERS = new Map(GRADE_LETTERS.map((letter) => [HALF_POINTS[letter], letter]));

/** Grade points of a letter, 0 to 4 in steps of 0.5; `A` is 4, `F` is 0, and no letter has 0.5. */
export function gradePoints(letter: GradeLetter): number {
  return HALF_POINTS[letter] / 2;
}

/** The letter with these grade points, or undefined if there is none (0.5, 3.7, −1 …). */
export function gradeLetter(points: number): GradeLetter | undefined {
  return LETTERS.get(points * 2);
}

/** Grade points of stored half-points; null without a grade. */
export const toGradePoints = (halfPoints: number | null): number | null =>
  halfPoints === null ? null : halfPoints / 2;

/** The letter of stored half-points; null without a grade, or where no letter has them. */
export const toGradeLetter = (halfPoints: number | null): GradeLetter | null =>
  halfPoints === null ? null : (LETTERS.get(halfPoints) ?? null);
