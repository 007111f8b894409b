import { inHundredths } from '../../../../domain/hundredths.ts';
import { atDeviations, sumTotals } from '../../../../domain/marksheets/class-statistics.ts';
import type { Cell } from '../../../../domain/marksheets/totals.ts';

export interface ColumnStatistics {
  /** Two decimals, half up; null without marks. */
  mean: number | null;
  /** Of the population. */
  std_dev: number | null;
  missing: number;
}

/** Mean and standard deviation of the marks of a component; absent and excused students are left out. */
export function columnStatistics(cells: readonly Cell[]): ColumnStatistics {
  const missing = cells.filter((cell) => cell === null).length;
  const marks = cells.filter((cell) => typeof cell === 'number').map(inHundredths);
  if (marks.length === 0) return { mean: null, std_dev: null, missing };
  const sums = sumTotals(marks);
  return {
    mean: atDeviations(sums, 0, 1) / 100,
    std_dev: atDeviations({ ...sums, sum: 0 }, 1, 1) / 100,
    missing,
  };
}
