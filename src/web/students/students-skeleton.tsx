import type { ReactNode, Ref } from 'react';
import { Skeleton } from '../ui/small-parts.tsx';
import { CELL, ROW } from '../ui/table-roles.ts';
import type { StudentOrder } from './student-order.ts';
import { type ColumnsShown, StudentsColumns, StudentsTableHead } from './students-table-head.tsx';

/** Widths of names as they usually are, so that the page hardly moves when they come. */
const NAME_WIDTHS = [132, 108, 150, 96, 118, 124, 138, 112, 84, 92, 212, 88];

interface StudentsSkeletonProps extends ColumnsShown {
  order: StudentOrder | undefined;
}

/** The list while it loads: same heads, same rows, bars instead of texts. */
export function StudentsSkeleton({ order, ...columns }: StudentsSkeletonProps) {
  return (
    <div className="tbl-box" aria-hidden="true" inert>
      <table className="tbl table-fixed max-md:block">
        <StudentsColumns {...columns} />
        <StudentsTableHead
          {...columns}
          order={order}
          onOrder={() => undefined}
          choosesAll={false}
          onChooseAll={() => undefined}
        />
        <tbody className="max-md:block">
          {NAME_WIDTHS.map((width, index) => (
            <SkeletonRow key={width} index={index} row={index} {...columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SkeletonRowProps extends ColumnsShown {
  row: number;
  index: number;
  rowIndex?: number | undefined;
  /** In place of the name: what became of it. */
  children?: ReactNode;
  ref?: Ref<HTMLTableRowElement>;
}

/** A row whose student is on the way. */
export function SkeletonRow({
  row,
  index,
  rowIndex,
  showsChoice,
  showsCgpa,
  children,
  ref,
}: SkeletonRowProps) {
  return (
    <tr
      ref={ref}
      {...ROW}
      data-index={index}
      data-row={row}
      aria-rowindex={rowIndex}
      // It can hold the focus until its student is there.
      tabIndex={-1}
      className="max-md:flex max-md:min-h-15.5 max-md:items-center max-md:border-line max-md:border-b"
    >
      {showsChoice && <td {...CELL} className="max-md:hidden" />}
      <td {...CELL} className="max-md:hidden">
        <Skeleton width={52} />
      </td>
      <td {...CELL} className="max-md:h-auto max-md:border-0 max-md:p-0 max-md:px-4">
        {children ?? <Skeleton width={NAME_WIDTHS[row % NAME_WIDTHS.length] ?? 100} />}
      </td>
      <td {...CELL} className="max-md:hidden">
        <Skeleton width={74} />
      </td>
      <td {...CELL} className="max-lg:hidden">
        <Skeleton width={60} />
      </td>
      <td {...CELL} className="num max-xl:hidden">
        <Skeleton width={32} />
      </td>
      <td {...CELL} className="num max-xl:hidden">
        <Skeleton width={32} />
      </td>
      {showsCgpa && (
        <td {...CELL} className="num max-xl:hidden">
          <Skeleton width={28} />
        </td>
      )}
      <td {...CELL} className="max-md:hidden" />
    </tr>
  );
}
