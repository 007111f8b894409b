import type { StudentListItem } from '../../../contract/students/student-list.ts';
import { EXPORT_COLUMN_TITLES, EXPORT_COLUMNS, type ExportColumn } from '../../../domain/export-columns.ts';
import { fromFraction, STANDING_LABELS, STATUSES } from '../../../domain/student.ts';

export type CellValue = string | number | null;

export interface Column<Row> {
  title: string;
  /** Type of the cells; `points` is a number with two decimals. */
  kind: 'text' | 'number' | 'points' | 'date';
  /** Column width in a workbook, in characters. */
  width: number;
  value: (row: Row) => CellValue;
}

type StudentColumn = Omit<Column<StudentListItem>, 'title'>;

const CELLS: Readonly<Record<ExportColumn, StudentColumn>> = {
  id: { kind: 'text', width: 14, value: ({ id }) => id },
  first_name: { kind: 'text', width: 18, value: ({ first_name }) => first_name },
  last_name: { kind: 'text', width: 18, value: ({ last_name }) => last_name },
  dob: { kind: 'date', width: 14, value: ({ dob }) => dob },
  gender: { kind: 'text', width: 10, value: ({ gender }) => gender },
  department: { kind: 'text', width: 14, value: ({ department }) => department },
  degree: { kind: 'text', width: 10, value: ({ degree }) => degree },
  syn: { kind: 'text', width: 12, value: ({ syn }) => syn },
  current_sem: {
    kind: 'number',
    width: 18,
    value: ({ current_sem }) => current_sem,
  },
  status: { kind: 'text', width: 13, value: ({ status }) => STATUSES[status] },
  status_date: { kind: 'date', width: 14, value: ({ status_date }) => status_date },
  standing: {
    kind: 'text',
    width: 14,
    value: ({ standing }) => standing && STANDING_LABELS[standing],
  },
  cgpa: { kind: 'points', width: 9, value: ({ cgpa }) => cgpa },
  cgpa_semester: { kind: 'number', width: 20, value: ({ cgpa_semester }) => cgpa_semester },
  final_cgpa: { kind: 'points', width: 12, value: ({ final_cgpa }) => final_cgpa },
  fsc_marks: {
    kind: 'number',
    width: 13,
    value: ({ fsc_marks }) => fromFraction(fsc_marks),
  },
  matric_marks: {
    kind: 'number',
    width: 15,
    value: ({ matric_marks }) => fromFraction(matric_marks),
  },
  phone_number: { kind: 'text', width: 18, value: ({ phone_number }) => phone_number },
  father_name: { kind: 'text', width: 24, value: ({ father_name }) => father_name },
  father_phone: {
    kind: 'text',
    width: 18,
    value: ({ father_phone }) => father_phone,
  },
  is_complete: {
    kind: 'text',
    width: 17,
    value: ({ is_complete }) => (is_complete ? 'Yes' : 'No'),
  },
};

/** The columns of the list with these names, in the order of the list. */
export const studentColumns = (names: readonly ExportColumn[] = EXPORT_COLUMNS): Column<StudentListItem>[] =>
  EXPORT_COLUMNS.filter((name) => names.includes(name)).map((name) => ({
    title: EXPORT_COLUMN_TITLES[name],
    ...CELLS[name],
  }));

/** Pages of a few hundred students, so that no file is held in memory as a whole. */
export type StudentPages = AsyncIterable<readonly StudentListItem[]>;

/** The columns and rows that a file is written from. */
export interface Table<Row> {
  columns: readonly Column<Row>[];
  /** Pages of a few hundred rows. */
  pages: AsyncIterable<readonly Row[]>;
}
