import type { Ungraded } from '../grading/degree.ts';
import { inHundredths } from '../hundredths.ts';

/**
 * How a row of a sheet ends. `barred` was not admitted to the final: an F, whatever the marks are. All but this and `graded` are
 * posted without a grade.
 */
export const ROW_STATUSES = ['graded', 'incomplete', 'withdrawn', 'excused', 'barred'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

export const endsWithoutGrade = (status: RowStatus): status is Ungraded =>
  status !== 'graded' && status !== 'barred';

/** A row of a sheet, as letters follow from it. */
export interface SheetRow {
  student_id: string;
  status: RowStatus;
  /** 0 to 100, two decimals; null while there is none. */
  total: number | null;
  /** Absent from everything that was marked. */
  isAbsent: boolean;
}

/** A row that gets a letter. */
export type GradedRow = SheetRow & { total: number };

/** The rows that get a letter: with status `graded` and a total. */
export const rowsWithLetter = (rows: readonly SheetRow[]): GradedRow[] =>
  rows.filter((row): row is GradedRow => row.status === 'graded' && row.total !== null);

/**
 * The totals that the class is measured by, highest first, in whole hundredths. Students who were absent from everything
 * get a letter too, but would move the boundaries of the others.
 */
export const totalsInStatistics = (rows: readonly SheetRow[]): number[] =>
  rowsWithLetter(rows)
    .filter(({ isAbsent }) => !isAbsent)
    .map(({ total }) => inHundredths(total))
    .toSorted((a, b) => b - a);

/** Exact sums behind mean and standard deviation; totals in hundredths. */
export interface TotalSums {
  n: number;
  sum: number;
  /** n² × the variance of the population: n × Σ total² − (Σ total)². */
  spread: bigint;
}

/** @param totals in whole hundredths */
export function sumTotals(totals: readonly number[]): TotalSums {
  const n = totals.length;
  const sum = totals.reduce((all, total) => all + total, 0);
  const squares = totals.reduce((all, total) => all + total * total, 0);
  return { n, sum, spread: BigInt(n) * BigInt(squares) - BigInt(sum) ** 2n };
}

/**
 * Mean + k × standard deviation of the population, rounded half up to a multiple of the step. Whole numbers all through:
 * with D = spread, the value is (Σ + k√D) ÷ n, and ⌊(a + √b) ÷ c⌋ = ⌊(a + ⌊√b⌋) ÷ c⌋ for whole a, b and c.
 *
 * @param sums of at least one total
 * @param k at most two decimals, may be negative
 * @param step in whole hundredths, at least 1
 * @returns whole hundredths
 */
export function atDeviations({ n, sum, spread }: TotalSums, k: number, step: number): number {
  const hundredthsOfK = BigInt(inHundredths(k));
  // ⌊value ÷ step + ½⌋ with all terms multiplied by 200 × n × step.
  const divisor = 200n * BigInt(n) * BigInt(step);
  const square = (2n * hundredthsOfK) ** 2n * spread;
  const root = wholeRoot(square);
  const term = hundredthsOfK >= 0n ? root : root * root === square ? -root : -root - 1n;
  return step * Number(floorDivide(200n * BigInt(sum) + term + divisor / 2n, divisor));
}

/** Largest whole number whose square is at most this one, by Newton's method from above. */
function wholeRoot(square: bigint): bigint {
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** Towards minus infinity. */
const floorDivide = (numerator: bigint, divisor: bigint) =>
  (numerator - (((numerator % divisor) + divisor) % divisor)) / divisor;

export interface ClassStatistics {
  /** Students whose totals are in mean and deviation. */
  n: number;
  /** Two decimals, half up; null without totals. */
  mean: number | null;
  /** Standard deviation of the population, two decimals, half up; null without totals. */
  std_dev: number | null;
}

/** Mean and standard deviation of a sheet as they are shown. */
export function classStatistics(rows: readonly SheetRow[]): ClassStatistics {
  const sums = sumTotals(totalsInStatistics(rows));
  if (sums.n === 0) return { n: 0, mean: null, std_dev: null };
  return {
    n: sums.n,
    mean: atDeviations(sums, 0, 1) / 100,
    std_dev: atDeviations({ ...sums, sum: 0 }, 1, 1) / 100,
  };
}
