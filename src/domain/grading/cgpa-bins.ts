/* Distributions of CGPAs, from counts per tenth of a grade point: tenth 27 is 2.70 to 2.79. */

/** Twenty bins of two tenths each; the last includes 4.00. */
export const CGPA_BINS = 20;
const TENTHS_PER_BIN = 2;

/** The last tenth, which is 4.00 only. */
export const TOP_TENTH = 40;

/** @param tenths students of each tenth */
export function cgpaBins(tenths: ReadonlyMap<number, number>): number[] {
  const bins = Array.from({ length: CGPA_BINS }, () => 0);
  for (const [tenth, students] of tenths) {
    const bin = Math.min(Math.floor(tenth / TENTHS_PER_BIN), CGPA_BINS - 1);
    bins[bin] = (bins[bin] ?? 0) + students;
  }
  return bins;
}

/** The tenth of the median student (of two, the lower one); null without students. */
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

/** Lowest and highest CGPA of a tenth, in grade points. */
export function tenthRange(tenth: number): { from: number; to: number } {
  return { from: tenth / 10, to: Math.min(tenth * 10 + 9, 400) / 100 };
}

/** Default limits of the insights, in grade points. */
export const LOW_CGPA = 2;
export const STEEP_FALL = 0.5;
