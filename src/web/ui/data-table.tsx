import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The outline around a `<table className="tbl">`. */
export function TableBox({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={classNames('tbl-box', className)}>{children}</div>;
}

export type SortDirection = 'ascending' | 'descending';

interface SortHeadProps {
  /** The direction this column is sorted in, or undefined when it is not the sorted one. */
  direction: SortDirection | undefined;
  onSort: () => void;
  isNumber?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A column head that sorts. */
export function SortHead({ direction, onSort, isNumber, className, children }: SortHeadProps) {
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={direction} className={classNames(isNumber && 'num', className)}>
      <button type="button" className="sort" onClick={onSort}>
        <span>{children}</span>
        <Icon strokeWidth={1.75} aria-hidden="true" />
      </button>
    </th>
  );
}
