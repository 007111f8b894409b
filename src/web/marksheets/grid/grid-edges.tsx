import { memo, useMemo } from 'react';
import { LEADING_COLUMNS } from './grid-row.tsx';
import { type ColumnStatistics, columnStatistics } from './model/column-statistics.ts';
import { type Column, isMissing, type ShownRow, totalStatistics } from './model/shown-rows.ts';

/** `10 %, of 40`; with the name of the category where it has several components. */
export function columnText({ component, category }: Column): string {
  const { components, weight, best_of, name } = category;
  if (components.length === 1) return `${weight}\u00a0%, of ${component.max}`;
  const best = best_of === null ? '' : `, best ${best_of}`;
  return `of ${component.max}, ${name} ${weight}\u00a0%${best}`;
}

export function GridHead({ columns, current }: { columns: readonly Column[]; current: number }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="marks-stays marks-number" aria-colindex={1}>
          <span className="sr-only">Number</span>
        </th>
        <th scope="col" className="marks-stays marks-id" aria-colindex={2}>
          CMS ID
        </th>
        <th scope="col" className="marks-stays marks-name" aria-colindex={3}>
          Name
        </th>
        {columns.map((column, i) => (
          <th
            key={column.component.component_id}
            scope="col"
            aria-colindex={LEADING_COLUMNS + i + 1}
            data-current={i === current ? '' : undefined}
            className="num marks-component"
          >
            {column.component.name} <small>{columnText(column)}</small>
          </th>
        ))}
        <th scope="col" aria-colindex={LEADING_COLUMNS + columns.length + 1} className="num marks-component">
          Total <small>of 100</small>
        </th>
      </tr>
    </thead>
  );
}

/** A mean or deviation with two decimals. */
export const figure = (value: number | null) => (value === null ? '--' : value.toFixed(2));

export function useColumnStatistics(
  rows: readonly ShownRow[],
  columns: readonly Column[],
): { ofColumns: ColumnStatistics[]; ofTotal: ColumnStatistics } {
  return useMemo(() => {
    const ofColumns = columns.map(({ component }, column) => ({
      ...columnStatistics(rows.map(({ cells }) => cells[component.component_id] ?? null)),
      missing: rows.filter((row) => isMissing(row, column)).length,
    }));
    const { mean, std_dev } = totalStatistics(rows);
    const missing = rows.filter(({ row, total }) => row.status === 'graded' && total.total === null).length;
    return { ofColumns, ofTotal: { mean, std_dev, missing } };
  }, [rows, columns]);
}

interface GridFootProps {
  rows: readonly ShownRow[];
  columns: readonly Column[];
}

/** Mean, deviation and missing marks of each column. */
export const GridFoot = memo(function GridFoot({ rows, columns }: GridFootProps) {
  const { ofColumns, ofTotal } = useColumnStatistics(rows, columns);
  const all = [...ofColumns, ofTotal];
  const lines = [
    ['Mean', ({ mean }: ColumnStatistics) => <b>{figure(mean)}</b>],
    ['SD', ({ std_dev }: ColumnStatistics) => figure(std_dev)],
    [
      'Missing',
      ({ missing }: ColumnStatistics) =>
        missing > 0 ? <b className="font-[620] text-warn">{missing}</b> : missing,
    ],
  ] as const;
  return (
    <tfoot>
      {lines.map(([name, text]) => (
        <tr key={name}>
          <td className="marks-stays marks-number" />
          <td className="marks-stays marks-id" />
          <th scope="row" className="marks-stays marks-name">
            {name}
          </th>
          {all.map((statistics, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places.
            <td key={i} className="num">
              {text(statistics)}
            </td>
          ))}
        </tr>
      ))}
    </tfoot>
  );
});
