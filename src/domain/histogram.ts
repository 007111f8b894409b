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
