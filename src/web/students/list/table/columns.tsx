import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StudentListItem } from '../../../../contract/students/student-list.ts';
import { fromFraction, SCHOOL_MARKS_TOTAL } from '../../../../domain/student.ts';
import { currentAge } from '../../../lib/format.ts';
import { Highlight } from '../../../ui/highlight.tsx';
import { StandingTag } from '../../../ui/standing-tag.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { StatusTag } from '../../status-tag.tsx';
import { formatDegree, fullName } from '../../student-format.ts';
import type { SortColumn } from '../model/sort.ts';
import { searchMatches } from './search-matches.ts';

export interface VisibleColumns {
  /** The checkboxes that select students, for those who may change them. */
  showsSelection: boolean;
  /** The CGPA, while the list is sorted or filtered by it. */
  showsCgpa: boolean;
}

/** The data of the cells of a row. */
export interface CellProps {
  student: StudentListItem;
  /** Normalized words of the search, to highlight. */
  words: readonly string[];
  isSelected: boolean;
  /** The tab index of the link and the checkbox: Tab reaches one row only. */
  tabIndex: number;
}

/** One column of the students table: the head, the rows, their placeholders and the widths all follow this list. */
export interface StudentColumn {
  /** Columns that can be sorted by have the name of the order. */
  id: SortColumn | 'select' | 'open';
  title: ReactNode;
  isNumber?: boolean;
  /** Pixels, since larger text must not widen the columns; the name takes the rest. */
  width: string;
  /** Hides the column on narrow screens. */
  hidden?: string;
  /** Classes of the cells; below 768 px these place them in the grid of a row. */
  cellClass: string;
  cell: (row: CellProps) => ReactNode;
  /** Width of the bar that is shown until the student is loaded. */
  placeholderWidth?: number;
}

const stacked = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';
const secondLine = `${stacked} max-md:text-label max-md:text-fg-3`;
const outOf = <span className="text-fg-3"> /{SCHOOL_MARKS_TOTAL}</span>;

/** The CGPA with the semester that it follows, and the final one below. */
function Cgpa({ student: { cgpa, cgpa_semester, final_cgpa } }: Pick<CellProps, 'student'>) {
  if (cgpa === null) return '--';
  return (
    <>
      <span title={`CGPA after semester ${cgpa_semester}`}>
        {cgpa.toFixed(2)}{' '}
        <span className="text-caption text-fg-3">
          after <span className="sr-only">semester </span>
          {cgpa_semester}
        </span>
      </span>
      {final_cgpa !== null && (
        <div>
          {final_cgpa.toFixed(2)} <span className="text-caption text-fg-3">final</span>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly StudentColumn[] = [
  {
    id: 'select',
    title: null,
    width: 'w-[44px]',
    cellClass: `tick-room ${stacked} max-md:col-start-1 max-md:row-span-2 max-md:row-start-1 max-md:grid max-md:place-items-center max-md:self-stretch`,
    cell: ({ student, isSelected, tabIndex }) => (
      <input
        type="checkbox"
        className="tick"
        aria-label={`Select ${fullName(student)}, ${student.id}`}
        checked={isSelected}
        // The table body handles the click, which says whether Shift is pressed.
        onChange={() => undefined}
        tabIndex={tabIndex}
      />
    ),
  },
  {
    id: 'id',
    title: 'ID',
    width: 'w-[116px] first:w-[128px]',
    cellClass: `${secondLine} wrap-anywhere max-md:col-start-2 max-md:row-start-2`,
    cell: ({ student, words }) => <Highlight text={student.id} terms={words} at="words" />,
    placeholderWidth: 52,
  },
  {
    id: 'name',
    title: 'Name',
    width: '',
    cellClass: `strong wrap-anywhere ${stacked} max-md:col-span-2 max-md:col-start-2 max-md:row-start-1 max-md:text-section`,
    cell: ({ student, words, tabIndex }) => (
      <>
        <Link to="/students/$studentId" params={{ studentId: student.id }} tabIndex={tabIndex}>
          <Highlight text={fullName(student)} terms={words} at="words" />
        </Link>
        <StatusTag student={student} className="ms-2 align-middle" />
        {student.standing !== null && student.standing !== 'good' && (
          <StandingTag standing={student.standing} className="ms-2 align-middle" />
        )}
        {!student.is_complete && (
          <>
            {' '}
            <Tag tone="warn">Incomplete</Tag>
          </>
        )}
        {searchMatches(student, words).map(({ label, text }) => (
          <div key={`${label} ${text}`} className="font-normal text-fg-3 text-label">
            {label} <Highlight text={text} terms={words} at="words" />
          </div>
        ))}
      </>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    width: 'w-[168px]',
    cellClass: `${secondLine} max-md:col-start-3 max-md:row-start-2 max-md:before:mr-2 max-md:before:content-['·'/'']`,
    cell: ({ student }) => `${currentAge(student.dob)} years old`,
    placeholderWidth: 74,
  },
  {
    id: 'degree',
    title: 'Degree',
    width: 'w-[176px]',
    hidden: 'max-lg:hidden',
    cellClass: 'wrap-anywhere',
    cell: ({ student }) => formatDegree(student),
    placeholderWidth: 60,
  },
  {
    id: 'fsc_marks',
    title: <>FSC{outOf}</>,
    isNumber: true,
    width: 'w-[124px]',
    hidden: 'max-xl:hidden',
    cellClass: '',
    cell: ({ student }) => fromFraction(student.fsc_marks),
    placeholderWidth: 32,
  },
  {
    id: 'matric_marks',
    title: <>Matric{outOf}</>,
    isNumber: true,
    width: 'w-[124px]',
    hidden: 'max-xl:hidden',
    cellClass: '',
    cell: ({ student }) => fromFraction(student.matric_marks),
    placeholderWidth: 32,
  },
  {
    id: 'cgpa',
    title: 'CGPA',
    isNumber: true,
    width: 'w-[132px]',
    hidden: 'max-xl:hidden',
    cellClass: '',
    cell: ({ student }) => <Cgpa student={student} />,
    placeholderWidth: 28,
  },
  {
    id: 'open',
    title: <span className="sr-only">Open</span>,
    width: 'w-[52px]',
    cellClass: `${stacked} text-fg-3 max-md:col-start-4 max-md:row-span-2 max-md:row-start-1`,
    cell: () => <ChevronRight className="size-4 stroke-2" />,
  },
];

export const visibleColumns = ({ showsSelection, showsCgpa }: VisibleColumns) =>
  COLUMNS.filter(({ id }) => (id === 'select' ? showsSelection : id === 'cgpa' ? showsCgpa : true));
