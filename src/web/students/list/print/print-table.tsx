import type { ReactNode } from 'react';
import { SCHOOL_MARKS_TOTAL } from '../../../../domain/student.ts';
import { classNames } from '../../../ui/class-names.ts';
import { TableContainer } from '../../../ui/table.tsx';
import type { PrintKind } from '../model/search-params.ts';
import type { PrintedStudent } from './printed-students.ts';
import './print.css';

/** One for each day of a month. */
export const MAX_EMPTY_COLUMNS = 31;
/** More empty columns need paper on its side. */
const MAX_UPRIGHT = 16;

interface PrintColumn {
  title: string;
  /** Classes of its cells. */
  look?: string;
  cell: (student: PrintedStudent) => ReactNode;
}

const ID: PrintColumn = { title: 'CMS ID', look: 'narrow', cell: ({ id }) => id };
const NAME: PrintColumn = { title: 'Name', cell: ({ name }) => name };

const LIST: readonly PrintColumn[] = [
  ID,
  NAME,
  { title: 'Age', look: 'num narrow', cell: ({ age }) => age },
  { title: 'Class', look: 'narrow', cell: ({ className }) => className },
  { title: 'Semester', look: 'num narrow', cell: ({ semester }) => semester },
  { title: 'CGPA', look: 'num narrow', cell: ({ cgpa }) => (cgpa === '' ? '--' : Number(cgpa).toFixed(2)) },
  { title: `FSC /${SCHOOL_MARKS_TOTAL}`, look: 'num narrow', cell: ({ fscMarks }) => fscMarks },
  { title: `Matric /${SCHOOL_MARKS_TOTAL}`, look: 'num narrow', cell: ({ matricMarks }) => matricMarks },
  { title: 'Phone', look: 'narrow', cell: ({ phone }) => phone },
];

const NAMES: readonly PrintColumn[] = [
  ID,
  NAME,
  { title: 'Syndicate', look: 'narrow', cell: ({ syndicate }) => syndicate },
];

interface PrintTableProps {
  kind: PrintKind;
  students: readonly PrintedStudent[];
  emptyColumns: number;
}

/** All students as rows, each with its number, and with columns to be filled in by hand. */
export function PrintTable({ kind, students, emptyColumns }: PrintTableProps) {
  const columns = kind === 'list' ? LIST : NAMES;
  const empty = Array.from({ length: emptyColumns }, (_, i) => i + 1);
  return (
    <TableContainer className={classNames('overflow-x-auto', emptyColumns > MAX_UPRIGHT && 'print-sideways')}>
      <table className={classNames('print-table tbl tbl-compact', emptyColumns > 0 && 'print-grid')}>
        <thead>
          <tr>
            <th scope="col" className="num narrow">
              No.
            </th>
            {columns.map(({ title, look }) => (
              <th key={title} scope="col" className={look}>
                {title}
              </th>
            ))}
            {empty.map((column) => (
              <th key={column} scope="col">
                <span className="sr-only">Empty column {column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student, row) => (
            <tr key={student.id}>
              <td className="num narrow">{row + 1}</td>
              {columns.map(({ title, look, cell }) => (
                <td key={title} className={look}>
                  {cell(student)}
                </td>
              ))}
              {empty.map((column) => (
                <td key={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}
