import { SCHOOL_MARKS, SCHOOL_MARKS_TOTAL } from './student.ts';

/**
 * School marks travel to the server as marks (100–1100, at most two decimals) and back as a fraction
 * of 1100. They are kept as whole hundredths, which makes the round trip exact for every legal value.
 */
export type HundredthMarks = number;

/** Hundredths of a mark, 10000 to 110000, or undefined when the marks are out of range or finer than two decimals. */
export function toHundredths(marks: number): HundredthMarks | undefined {
  const hundredths = Math.round(marks * 100);
  if (hundredths / 100 !== marks) return undefined;
  return marks >= SCHOOL_MARKS.min && marks <= SCHOOL_MARKS.max ? hundredths : undefined;
}

/**
 * The fraction of 1100 that the server answers, to fifteen significant digits: `93500` (935 marks) → `0.85`. Fifteen
 * is what the database engine writes when it builds a reply itself, and far more than the way back needs.
 */
export function toFraction(hundredths: HundredthMarks): number {
  return Number((hundredths / (SCHOOL_MARKS_TOTAL * 100)).toPrecision(15));
}

/** Marks from the answered fraction, exact for every fraction that {@link toFraction} made: `0.85` → `935`. */
export function fromFraction(fraction: number): number {
  return Math.round(fraction * SCHOOL_MARKS_TOTAL * 100) / 100;
}
