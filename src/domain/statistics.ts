/** Lower edges of the ten buckets of course marks; a mark of exactly 100 falls in the last. */
export const BINS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;

export interface Bin {
  /** Lower edge of the bucket: 0, 10 … 90. */
  bin: number;
  /** Marks in it. */
  count: number;
}

/** Which bucket (0 to 9) a mark of 0 to 100 falls in. */
export function binIndex(mark: number): number {
  return Math.min(Math.floor(mark / 10), BINS.length - 1);
}

/** `bin-nextbin` for every bucket, `bin+` for the last: `0-10`, `10-20` … `90+`. */
export function binLabels(bins: readonly number[]): string[] {
  return bins.map((bin, i) => (i + 1 < bins.length ? `${bin}-${bins[i + 1]}` : `${bin}+`));
}

/** Running statistics of a course's marks, to which further marks can be added. */
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

export const EMPTY_TALLY: MarksTally = { count: 0, mean: 0, squares: 0, bins: BINS.map(() => 0) };

/**
 * Counts marks in one pass.
 *
 * Mean and squares by Welford's update (Technometrics 4, 1962): no difference of large sums, so they stay exact far
 * beyond the two decimals shown.
 *
 * @param marks each 0 to 100
 */
export function tallyMarks(marks: Iterable<number>): MarksTally {
  const bins = [...EMPTY_TALLY.bins];
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

/** The tally of two groups of marks together (Chan, Golub and LeVeque, 1979). */
export function mergeTallies(a: MarksTally, b: MarksTally): MarksTally {
  const count = a.count + b.count;
  if (count === 0) return EMPTY_TALLY;
  const distance = b.mean - a.mean;
  return {
    count,
    mean: a.mean + (distance * b.count) / count,
    squares: a.squares + b.squares + (distance * distance * a.count * b.count) / count,
    bins: BINS.map((_, i) => (a.bins[i] ?? 0) + (b.bins[i] ?? 0)),
  };
}

/** The statistics as the API shows them. */
export function summarizeMarks({ count, mean, squares, bins }: MarksTally): MarksSummary {
  if (count === 0) return { count, average: null, std_dev: null, histogram: [] };
  return {
    count,
    average: roundToHundredths(mean),
    std_dev: roundToHundredths(Math.sqrt(squares / count)),
    histogram: BINS.map((bin, i) => ({ bin, count: bins[i] ?? 0 })),
  };
}

/** Rounds half up to two decimals. `toPrecision` removes binary rounding errors, which could turn a half into less. */
function roundToHundredths(value: number): number {
  return Math.floor(Number((value * 100).toPrecision(12)) + 0.5) / 100;
}
