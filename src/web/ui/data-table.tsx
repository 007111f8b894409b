import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Column<Row> {
  head: string;
  isNumber?: true;
  /** The cells name their rows. */
  isRowHead?: true;
  /** Of its cells; `max-sm:hidden` hides the head, too. */
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

/** A compact table of plain cells, for a `TableContainer`. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table className="tbl tbl-compact">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber, className = '' }) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                isNumber && 'num',
                className.includes('max-sm:hidden') && 'max-sm:hidden',
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ head, isNumber, isRowHead, className, cell }) => {
              const Cell = isRowHead ? 'th' : 'td';
              return (
                <Cell
                  key={head}
                  scope={isRowHead && 'row'}
                  className={classNames(isNumber && 'num', className)}
                >
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
