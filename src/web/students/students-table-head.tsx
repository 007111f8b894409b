import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { SCHOOL_MARKS_TOTAL } from '../../domain/student.ts';
import { COLUMN_HEADER, ROW, ROW_GROUP } from '../ui/table-roles.ts';
import { nextOrder, type StudentColumn, type StudentOrder } from './student-order.ts';

const outOf = <span className="text-fg-3"> /{SCHOOL_MARKS_TOTAL}</span>;

const HEADS: readonly { column: StudentColumn; title: ReactNode; className?: string }[] = [
  { column: 'id', title: 'ID' },
  { column: 'name', title: 'Name' },
  { column: 'age', title: 'Age' },
  { column: 'degree', title: 'Degree', className: 'max-lg:hidden' },
  { column: 'fscMarks', title: <>FSC{outOf}</>, className: 'num max-xl:hidden' },
  { column: 'matricMarks', title: <>Matric{outOf}</>, className: 'num max-xl:hidden' },
  { column: 'cgpa', title: 'CGPA', className: 'num max-xl:hidden' },
];

export interface ColumnsShown {
  /** The boxes by which students are chosen, for those who may change something. */
  showsChoice: boolean;
  /** While the list is about the CGPA. */
  showsCgpa: boolean;
}

export interface TableHeadProps {
  /** Undefined: by how well the search matches, which is no column. */
  order: StudentOrder | undefined;
  onOrder: (order: StudentOrder) => void;
  choosesAll: boolean | 'some';
  onChooseAll: (isChosen: boolean) => void;
}

/** Stays in the tree, out of sight, where rows are stacked: the names of the cells come from here. */
export function StudentsTableHead({
  order,
  onOrder,
  choosesAll,
  onChooseAll,
  showsChoice,
  showsCgpa,
}: TableHeadProps & ColumnsShown) {
  return (
    <thead {...ROW_GROUP} className="max-md:sr-only">
      <tr {...ROW} aria-rowindex={1}>
        {showsChoice && (
          <th scope="col" {...COLUMN_HEADER} className="relative">
            <ChooseAll state={choosesAll} onChange={onChooseAll} />
          </th>
        )}
        {HEADS.filter(({ column }) => showsCgpa || column !== 'cgpa').map(
          ({ column, title, className = '' }) => {
            const direction = order?.column === column ? order.direction : undefined;
            return (
              <th key={column} scope="col" {...COLUMN_HEADER} className={className} aria-sort={direction}>
                <button type="button" className="sort" onClick={() => onOrder(nextOrder(order, column))}>
                  <span>{title}</span>
                  <SortArrow direction={direction} />
                </button>
              </th>
            );
          },
        )}
        <th scope="col" {...COLUMN_HEADER}>
          <span className="sr-only">Open</span>
        </th>
      </tr>
    </thead>
  );
}

function ChooseAll({ state, onChange }: { state: boolean | 'some'; onChange: (isChosen: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label className="tick-room">
      <input
        ref={box}
        type="checkbox"
        className="tick"
        aria-label="Select all loaded students"
        checked={state === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

function SortArrow({ direction }: { direction: StudentOrder['direction'] | undefined }) {
  const Arrow = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return <Arrow aria-hidden />;
}

/** Fixed widths in pixels, which larger text does not widen; the name takes what is spare. */
export function StudentsColumns({ showsChoice, showsCgpa }: ColumnsShown) {
  return (
    <colgroup>
      {showsChoice && <col className="w-[44px]" />}
      <col className={showsChoice ? 'w-[116px]' : 'w-[128px]'} />
      <col />
      <col className="w-[168px]" />
      <col className="w-[176px] max-lg:hidden" />
      <col className="w-[124px] max-xl:hidden" />
      <col className="w-[124px] max-xl:hidden" />
      {showsCgpa && <col className="w-[92px] max-xl:hidden" />}
      <col className="w-[52px]" />
    </colgroup>
  );
}
