import { BINS, type Bin, binIndex } from './histogram.ts';

/** What is known of a course's marks without the marks themselves. */
export interface MarksSummary {
  count: number;
  /** Mean of the marks, 0 to 100, two decimals; null without marks. */
  average: number | null;
  /** Standard deviation of the population, two decimals; null without marks. */
  std_dev: number | null;
  /** All ten buckets, or none without marks. */
  histogram: Bin[];
}

/**
 * Count, mean, population standard deviation and buckets of marks in one pass that stays exact to far beyond the two
 * decimals shown (Welford's update: no difference of large squares).
 */
export function summarizeMarks(marks: Iterable<number>): MarksSummary {
  const counts = BINS.map(() => 0);
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const mark of marks) {
    count += 1;
    const step = mark - mean;
    mean += step / count;
    squares += step * (mark - mean);
    const bin = binIndex(mark);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  if (count === 0) return { count, average: null, std_dev: null, histogram: [] };
  return {
    count,
    average: roundHalfUp(mean),
    std_dev: roundHalfUp(Math.sqrt(squares / count)),
    histogram: BINS.map((bin, i) => ({ bin, count: counts[i] ?? 0 })),
  };
}

/** Two decimals, half up; the last bits of a sum in binary must not turn a half into less. */
function roundHalfUp(value: number): number {
  return Math.floor(Number((value * 100).toPrecision(12)) + 0.5) / 100;
}
