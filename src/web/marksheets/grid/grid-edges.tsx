import { memo, useMemo } from 'react';
import { HEAD_ROWS, LEADING_COLUMNS } from './grid-row.tsx';
import { type ColumnStatistics, gridStatistics } from './model/column-statistics.ts';
import { type Column, isLastOfCategory, type ShownRow } from './model/shown-rows.ts';

/** `10 %, of 40`; with the name of the category where it has several components. */
export function columnText({ component, category }: Column): string {
  const { components, weight, name } = category;
  if (components.length === 1) return `${weight}\u00a0%, of ${component.max}`;
  return `of ${component.max}, ${name} ${weight}\u00a0%${bestText(category)}`;
}

const bestText = ({ best_of, components }: Column['category']) =>
  best_of === null ? '' : `, best ${best_of} of ${components.length}`;

/** The name of a category stands above its components, unless the only one has the same. */
function CategoryHead({ category, column }: { category: Column['category']; column: number }) {
  const { name, weight, components } = category;
  const isNamed = components.length > 1 || components[0]?.name !== name;
  return (
    <th
      scope="colgroup"
      colSpan={components.length}
      aria-colindex={LEADING_COLUMNS + column + 1}
      className="marks-category"
    >
      {isNamed && <b>{name}</b>} {`${weight}\u00a0%${bestText(category)}`}
    </th>
  );
}

interface GridHeadProps {
  columns: readonly Column[];
  /** Place of the current column. */
  current: number;
  /** Whether the grades follow from boundaries that are not stored. */
  isProposed: boolean;
}

/** Categories with their weights, below them the components. */
export function GridHead({ columns, current, isProposed }: GridHeadProps) {
  const after = LEADING_COLUMNS + columns.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" rowSpan={HEAD_ROWS} className="marks-stays marks-number" aria-colindex={1}>
          <span className="sr-only">Number</span>
        </th>
        <th scope="col" rowSpan={HEAD_ROWS} className="marks-stays marks-id" aria-colindex={2}>
          CMS ID
        </th>
        <th scope="col" rowSpan={HEAD_ROWS} className="marks-stays marks-name" aria-colindex={3}>
          Name
        </th>
        {columns.map(
          ({ category }, i) =>
            columns[i - 1]?.category !== category && (
              <CategoryHead key={category.category_id} category={category} column={i} />
            ),
        )}
        <th scope="col" rowSpan={HEAD_ROWS} aria-colindex={after + 1} className="num marks-stays marks-total">
          Total <small>of 100</small>
        </th>
        <th scope="col" rowSpan={HEAD_ROWS} aria-colindex={after + 2} className="marks-stays marks-grade">
          Grade {isProposed && <small>proposed</small>}
        </th>
      </tr>
      <tr aria-rowindex={2}>
        {columns.map((column, i) => (
          <th
            key={column.component.component_id}
            scope="col"
            aria-colindex={LEADING_COLUMNS + i + 1}
            data-current={i === current ? '' : undefined}
            data-last={isLastOfCategory(columns, i) ? '' : undefined}
            className="num marks-component"
          >
            {column.component.name} <small>{`of ${column.component.max}`}</small>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A mean or deviation with two decimals. */
export const figure = (value: number | null) => (value === null ? '--' : value.toFixed(2));

export const useGridStatistics = (rows: readonly ShownRow[], columns: readonly Column[]) =>
  useMemo(() => gridStatistics(rows, columns), [rows, columns]);

interface GridFootProps {
  rows: readonly ShownRow[];
  columns: readonly Column[];
}

/** Mean, deviation and missing marks of each column. */
export const GridFoot = memo(function GridFoot({ rows, columns }: GridFootProps) {
  const { ofColumns, ofTotal } = useGridStatistics(rows, columns);
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
          {ofColumns.map((statistics, i) => (
            <td
              key={columns[i]?.component.component_id}
              data-last={isLastOfCategory(columns, i) ? '' : undefined}
              className="num"
            >
              {text(statistics)}
            </td>
          ))}
          <td className="num marks-stays marks-total">{text(ofTotal)}</td>
          <td className="marks-stays marks-grade" />
        </tr>
      ))}
    </tfoot>
  );
});
