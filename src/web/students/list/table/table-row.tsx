import { memo, type ReactNode, type Ref } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { CELL_ROLE, ROW_ROLE } from '../../../ui/table.tsx';
import { type CellProps, type VisibleColumns, visibleColumns } from './columns.tsx';

interface RowProps extends VisibleColumns {
  /** Number of the row, counted from the end of the view that the list is read from. */
  row: number;
  /** Index among the rows that the page has height for. */
  index: number;
  /** 1-based position in the whole table including its head; undefined while unknown. */
  rowIndex?: number | undefined;
  ref?: Ref<HTMLTableRowElement>;
}

/** One student. A click on the row opens the link on the name. Below 768 px: the name over 'ID · Age'. */
export const TableRow = memo(function StudentRow({
  row,
  index,
  rowIndex,
  ref,
  showsSelection,
  showsCgpa,
  ...cellProps
}: RowProps & CellProps) {
  return (
    <tr
      ref={ref}
      {...ROW_ROLE}
      data-index={index}
      data-row={row}
      aria-rowindex={rowIndex}
      className={classNames(
        'max-md:grid max-md:min-h-15.5 max-md:content-center max-md:items-center max-md:gap-x-2 max-md:border-line max-md:border-b max-md:py-2.5 max-md:pr-3.5 max-md:last:border-0',
        showsSelection
          ? 'max-md:grid-cols-[36px_auto_1fr_24px] max-md:pl-1.5'
          : 'max-md:grid-cols-[0_auto_1fr_24px] max-md:pl-2',
        cellProps.isSelected && 'bg-ink-soft',
      )}
    >
      {visibleColumns({ showsSelection, showsCgpa }).map(({ id, isNumber, hidden, cellClass, cell }) => (
        <td key={id} {...CELL_ROLE} className={classNames(isNumber && 'num', cellClass, hidden)}>
          {cell(cellProps)}
        </td>
      ))}
    </tr>
  );
});

/** Typical widths of names, so that the page hardly moves when the students arrive. */
export const NAME_WIDTHS = [132, 108, 150, 96, 118, 124, 138, 112, 84, 92, 212, 88];

/** A row whose student is not loaded yet. `children` replace the bar of the name, such as by an error. */
export function SkeletonRow({
  row,
  index,
  rowIndex,
  ref,
  children,
  ...columns
}: RowProps & { children?: ReactNode }) {
  return (
    <tr
      ref={ref}
      {...ROW_ROLE}
      data-index={index}
      data-row={row}
      aria-rowindex={rowIndex}
      // It can hold the focus until its student is loaded.
      tabIndex={-1}
      className="max-md:flex max-md:min-h-15.5 max-md:items-center max-md:border-line max-md:border-b"
    >
      {visibleColumns(columns).map(({ id, isNumber, hidden = 'max-md:hidden', placeholderWidth }) =>
        id === 'name' ? (
          <td key={id} {...CELL_ROLE} className="max-md:h-auto max-md:border-0 max-md:p-0 max-md:px-4">
            {children ?? <Skeleton width={NAME_WIDTHS[row % NAME_WIDTHS.length] ?? 100} />}
          </td>
        ) : (
          <td key={id} {...CELL_ROLE} className={classNames(isNumber && 'num', hidden)}>
            {placeholderWidth && <Skeleton width={placeholderWidth} />}
          </td>
        ),
      )}
    </tr>
  );
}
