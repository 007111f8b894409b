import { inHundredths } from '../../../../domain/hundredths.ts';
import { atDeviations, classStatistics, sumTotals } from '../../../../domain/marksheets/class-statistics.ts';
import type { Cell } from '../../../../domain/marksheets/totals.ts';
import { type Column, isMissing, type ShownRow, toGradable } from './shown-rows.ts';

export interface ColumnStatistics {
  /** Two decimals, half up; null without marks. */
  mean: number | null;
  /** Standard deviation of the population. */
  std_dev: number | null;
  /** Marks that are still to be entered, of a total the rows without one. */
  missing: number;
}

/** Mean and standard deviation of the marks of a component; absent and excused students are left out. */
function columnStatistics(cells: readonly Cell[]): Omit<ColumnStatistics, 'missing'> {
  const marks = cells.filter((cell) => typeof cell === 'number').map(inHundredths);
  if (marks.length === 0) return { mean: null, std_dev: null };
  const sums = sumTotals(marks);
  return {
    mean: atDeviations(sums, 0, 1) / 100,
    std_dev: atDeviations({ ...sums, sum: 0 }, 1, 1) / 100,
  };
}

/** Statistics of each component and of the total. Both leave out the rows that end without a grade. */
export function gridStatistics(
  rows: readonly ShownRow[],
  columns: readonly Column[],
): { ofColumns: ColumnStatistics[]; ofTotal: ColumnStatistics } {
  const graded = rows.filter(({ row }) => row.status === 'graded');
  const ofColumns = columns.map(({ component }, column) => ({
    ...columnStatistics(graded.map(({ cells }) => cells[component.component_id] ?? null)),
    missing: graded.filter((row) => isMissing(row, column)).length,
  }));
  const { mean, std_dev } = classStatistics(graded.map(toGradable));
  return {
    ofColumns,
    ofTotal: { mean, std_dev, missing: graded.filter(({ total }) => total.total === null).length },
  };
}
