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
