import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { SCHOOL_MARKS_TOTAL } from '../../domain/student.ts';
import { COLUMN_HEADER, ROW, ROW_GROUP } from '../ui/table-roles.ts';
import { nextOrder, type StudentColumn, type StudentOrder } from './student-order.ts';

const outOf = <span className="text-fg-3"> /{SCHOOL_MARKS_TOTAL}</span>;

const COLUMNS: readonly { column: StudentColumn; title: ReactNode; className?: string }[] = [
  { column: 'id', title: 'ID' },
  { column: 'name', title: 'Name' },
  { column: 'age', title: 'Age' },
  { column: 'degree', title: 'Degree', className: 'max-lg:hidden' },
  { column: 'fscMarks', title: <>FSC{outOf}</>, className: 'num max-xl:hidden' },
  { column: 'matricMarks', title: <>Matric{outOf}</>, className: 'num max-xl:hidden' },
];

interface StudentsTableHeadProps {
  order: StudentOrder;
  onOrder: (order: StudentOrder) => void;
}

/** Stays in the tree, out of sight, where rows are stacked: the names of the cells come from here. */
export function StudentsTableHead({ order, onOrder }: StudentsTableHeadProps) {
  return (
    <thead {...ROW_GROUP} className="max-md:sr-only">
      <tr {...ROW} aria-rowindex={1}>
        {COLUMNS.map(({ column, title, className = '' }) => {
          const isSorted = order.column === column;
          return (
            <th
              key={column}
              scope="col"
              {...COLUMN_HEADER}
              className={className}
              aria-sort={isSorted ? order.direction : undefined}
            >
              <button type="button" className="sort" onClick={() => onOrder(nextOrder(order, column))}>
                <span>{title}</span>
                <SortArrow direction={isSorted ? order.direction : undefined} />
              </button>
            </th>
          );
        })}
        <th scope="col" {...COLUMN_HEADER}>
          <span className="sr-only">Open</span>
        </th>
      </tr>
    </thead>
  );
}

function SortArrow({ direction }: { direction: StudentOrder['direction'] | undefined }) {
  const Arrow = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return <Arrow aria-hidden />;
}

/** Fixed widths in pixels, which larger text does not widen; the name takes what is spare. */
export function StudentsColumns() {
  return (
    <colgroup>
      <col className="w-[128px]" />
      <col />
      <col className="w-[168px]" />
      <col className="w-[176px] max-lg:hidden" />
      <col className="w-[124px] max-xl:hidden" />
      <col className="w-[124px] max-xl:hidden" />
      <col className="w-[52px]" />
    </colgroup>
  );
}
