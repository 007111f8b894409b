/**
 * CGPAs as a distribution shows them, counted from whole tenths of a grade point: tenth 27 holds 2.70 to 2.79.
 */

/** Twenty bins of two tenths each; the last holds 4.00 as well. */
export const CGPA_BINS = 20;
const TENTHS = 2;

/** Holds 4.00 alone. */
export const TOP_TENTH = 40;

/** @param tenths students of each tenth */
export function cgpaBins(tenths: ReadonlyMap<number, number>): number[] {
  const bins = Array.from({ length: CGPA_BINS }, () => 0);
  for (const [tenth, students] of tenths) {
    const bin = Math.min(Math.floor(tenth / TENTHS), CGPA_BINS - 1);
    bins[bin] = (bins[bin] ?? 0) + students;
  }
  return bins;
}

/**
 * The tenth that the student in the middle is in (of two in the middle: the one with less), which is known exactly where
 * the median itself is not; null without students.
 */
export function medianTenth(tenths: ReadonlyMap<number, number>): number | null {
  let all = 0;
  for (const students of tenths.values()) all += students;
  let soFar = 0;
  for (const [tenth, students] of [...tenths].toSorted(([a], [b]) => a - b)) {
    soFar += students;
    if (students > 0 && soFar * 2 >= all) return tenth;
  }
  return null;
}

/** Least and greatest CGPA of a tenth, in grade points. */
export function tenthRange(tenth: number): { from: number; to: number } {
  return { from: tenth / 10, to: Math.min(tenth * 10 + 9, 400) / 100 };
}
