import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The outline around a `<table className="tbl">`. */
export function TableContainer({
  className,
  children,
}: {
  className?: string | undefined;
  children: ReactNode;
}) {
  return <div className={classNames('tbl-box', className)}>{children}</div>;
}

export type SortDirection = 'ascending' | 'descending';

interface SortableHeaderProps {
  /** The direction this column is sorted in, or undefined when it is not the sorted one. */
  direction: SortDirection | undefined;
  onSort: () => void;
  isNumber?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A sortable column header. */
export function SortableHeader({ direction, onSort, isNumber, className, children }: SortableHeaderProps) {
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      {...COLUMN_HEADER_ROLE}
      aria-sort={direction}
      className={classNames(isNumber && 'num', className)}
    >
      <button type="button" className="sort" onClick={onSort}>
        <span>{children}</span>
        <Icon strokeWidth={1.75} aria-hidden="true" />
      </button>
    </th>
  );
}

/**
 * Explicit roles for tables whose rows are stacked on small screens: with another `display`, some browsers no longer
 * expose table semantics.
 */
export const TABLE_ROLE = { role: 'table' } as const;
export const ROW_GROUP_ROLE = { role: 'rowgroup' } as const;
export const ROW_ROLE = { role: 'row' } as const;
export const COLUMN_HEADER_ROLE = { role: 'columnheader' } as const;
export const CELL_ROLE = { role: 'cell' } as const;

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
