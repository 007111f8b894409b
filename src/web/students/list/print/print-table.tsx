import { inIdOrder } from '../../../../domain/search-text.ts';
import { SCHOOL_MARKS_TOTAL } from '../../../../domain/student.ts';
import { classNames } from '../../../ui/class-names.ts';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import type { PrintKind } from '../model/search-params.ts';
import type { PrintedStudent } from './printed-students.ts';
import './print.css';

/** One for each day of a month. */
export const MAX_EMPTY_COLUMNS = 31;
/** More empty columns need paper on its side. */
const MAX_UPRIGHT = 16;

interface PrintedRow extends PrintedStudent {
  number: number;
}

const NARROW = { columnClass: 'narrow' };
const FIGURE = { ...NARROW, isNumber: true } as const;

const NUMBER: Column<PrintedRow> = { head: 'No.', ...FIGURE, cell: ({ number }) => number };
const ID: Column<PrintedRow> = { head: 'CMS ID', ...NARROW, cell: ({ id }) => id };
const NAME: Column<PrintedRow> = { head: 'Name', cell: ({ name }) => name };

const LIST: readonly Column<PrintedRow>[] = [
  NUMBER,
  ID,
  NAME,
  { head: 'Age', ...FIGURE, cell: ({ age }) => age },
  { head: 'Class', ...NARROW, cell: ({ className }) => className },
  { head: 'Semester', ...FIGURE, cell: ({ semester }) => semester },
  { head: 'CGPA', ...FIGURE, cell: ({ cgpa }) => (cgpa === '' ? '--' : Number(cgpa).toFixed(2)) },
  { head: `FSC /${SCHOOL_MARKS_TOTAL}`, ...FIGURE, cell: ({ fscMarks }) => fscMarks },
  { head: `Matric /${SCHOOL_MARKS_TOTAL}`, ...FIGURE, cell: ({ matricMarks }) => matricMarks },
  { head: 'Phone', ...NARROW, cell: ({ phone }) => phone },
];

const NAMES: readonly Column<PrintedRow>[] = [
  NUMBER,
  ID,
  NAME,
  { head: "Father's name", cell: ({ fatherName }) => fatherName },
  { head: 'Syndicate', ...NARROW, cell: ({ syndicate }) => syndicate },
];

interface PrintTableProps {
  kind: PrintKind;
  students: readonly PrintedStudent[];
  emptyColumns: number;
  /** Heads of the first empty columns. */
  headings: readonly string[];
}

/**
 * All students as rows, each with its number, and with columns to be filled in by hand. A list is in the order of the screen, the
 * others go by ID, as results and seats do.
 */
export function PrintTable({ kind, students, emptyColumns, headings }: PrintTableProps) {
  const empty = Array.from({ length: emptyColumns }, (_, i): Column<PrintedRow> => {
    const heading = headings[i] ?? '';
    return {
      ...(heading === ''
        ? { head: `Empty column ${i + 1}`, isHeadHidden: true as const }
        : { head: heading, columnClass: 'headed' }),
      cell: () => null,
    };
  });
  const ordered = kind === 'list' ? students : inIdOrder(students, ({ id }) => id);
  return (
    <TableContainer
      className={classNames(
        'print-table overflow-x-auto',
        emptyColumns > 0 && 'print-grid',
        emptyColumns > MAX_UPRIGHT && 'print-sideways',
      )}
    >
      <Table
        label="Students"
        columns={[...(kind === 'list' ? LIST : NAMES), ...empty]}
        rows={ordered.map((student, row) => ({ ...student, number: row + 1 }))}
        rowKey={({ id }) => id}
        isCompact
      />
    </TableContainer>
  );
}
