import { BINS, type Bin, binIndex } from './histogram.ts';

/** What is kept of a course's marks beside the marks: enough for the statistics, and to add further marks to. */
export interface MarksTally {
  count: number;
  /** Mean of the marks at full precision; 0 without marks. */
  mean: number;
  /** Sum of the squared distances from the mean. */
  squares: number;
  /** Marks in each of the ten buckets. */
  bins: number[];
}

export interface MarksSummary {
  count: number;
  /** Mean of the marks, 0 to 100, two decimals; null without marks. */
  average: number | null;
  /** Standard deviation of the population, two decimals; null without marks. */
  std_dev: number | null;
  /** All ten buckets, or none without marks. */
  histogram: Bin[];
}

export const NO_MARKS: MarksTally = { count: 0, mean: 0, squares: 0, bins: BINS.map(() => 0) };

/**
 * Counts marks in one pass.
 *
 * Mean and squares by Welford's update (Technometrics 4, 1962): no difference of large sums, so they stay exact far
 * beyond the two decimals shown.
 *
 * @param marks each 0 to 100
 */
export function tallyMarks(marks: Iterable<number>): MarksTally {
  const bins = [...NO_MARKS.bins];
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const mark of marks) {
    count += 1;
    const step = mark - mean;
    mean += step / count;
    squares += step * (mark - mean);
    const bin = binIndex(mark);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { count, mean, squares, bins };
}

/** The tally of both groups of marks together (Chan, Golub and LeVeque, 1979). */
export function mergeTallies(a: MarksTally, b: MarksTally): MarksTally {
  const count = a.count + b.count;
  if (count === 0) return NO_MARKS;
  const distance = b.mean - a.mean;
  return {
    count,
    mean: a.mean + (distance * b.count) / count,
    squares: a.squares + b.squares + (distance * distance * a.count * b.count) / count,
    bins: BINS.map((_, i) => (a.bins[i] ?? 0) + (b.bins[i] ?? 0)),
  };
}

/** The figures as they are answered. */
export function summaryOf({ count, mean, squares, bins }: MarksTally): MarksSummary {
  if (count === 0) return { count, average: null, std_dev: null, histogram: [] };
  return {
    count,
    average: roundHalfUp(mean),
    std_dev: roundHalfUp(Math.sqrt(squares / count)),
    histogram: BINS.map((bin, i) => ({ bin, count: bins[i] ?? 0 })),
  };
}

/** Two decimals, half up; the last bits of a sum in binary must not turn a half into less. */
function roundHalfUp(value: number): number {
  return Math.floor(Number((value * 100).toPrecision(12)) + 0.5) / 100;
}
