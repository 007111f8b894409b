import { average, type GpaSums } from './gpa.ts';

/** An average that is expected for a semester to come. */
export interface ExpectedSemester {
  /** Whole credit hours, 0 or more. */
  credits: number;
  /** 0 to 4, two decimals. */
  sgpa: number;
}

/** Hundredths of a grade point in a half-point. */
const HUNDREDTHS = 50;

/**
 * The CGPA after each semester to come, if none of its courses is a repeat.
 *
 * @param done sums behind the present CGPA
 * @param expected in order
 */
export function projectCgpas(done: GpaSums, expected: readonly ExpectedSemester[]): number[] {
  const parts = (done.parts ?? 1) * HUNDREDTHS;
  let { credits } = done;
  let halfPoints = done.halfPoints * HUNDREDTHS;
  return expected.map((one) => {
    credits += one.credits;
    // In parts of a half-point, so whole.
    halfPoints += one.credits * Math.round(one.sgpa * 100) * (done.parts ?? 1);
    return average({ credits, halfPoints, parts });
  });
}

/** Splits credit hours into so many semesters, as evenly as whole numbers can be; the first get what is left over. */
export const splitCredits = (credits: number, semesters: number): number[] =>
  Array.from({ length: semesters }, (_, i) => Math.floor((credits + semesters - 1 - i) / semesters));
