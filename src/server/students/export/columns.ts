import type { StudentListItem } from '../../../contract/student-list.ts';
import { fromFraction, STATUSES } from '../../../domain/student.ts';

interface Column {
  title: string;
  /** Type of the cells; `points` is a number with two decimals. */
  kind: 'text' | 'number' | 'points' | 'date';
  /** Column width in a workbook, in characters. */
  width: number;
  value: (student: StudentListItem) => string | number | null;
}

/** The columns of an export. */
export const COLUMNS: readonly Column[] = [
  { title: 'ID', kind: 'text', width: 14, value: ({ id }) => id },
  { title: 'First Name', kind: 'text', width: 18, value: ({ first_name }) => first_name },
  { title: 'Last Name', kind: 'text', width: 18, value: ({ last_name }) => last_name },
  { title: 'Date of Birth', kind: 'date', width: 14, value: ({ dob }) => dob },
  { title: 'Gender', kind: 'text', width: 10, value: ({ gender }) => gender },
  { title: 'Department', kind: 'text', width: 14, value: ({ department }) => department },
  { title: 'Degree', kind: 'text', width: 10, value: ({ degree }) => degree },
  { title: 'Syndicate', kind: 'text', width: 12, value: ({ syn }) => syn },
  { title: 'Current Semester', kind: 'number', width: 18, value: ({ current_sem }) => current_sem },
  { title: 'Status', kind: 'text', width: 13, value: ({ status }) => STATUSES[status] },
  { title: 'Status Since', kind: 'date', width: 14, value: ({ status_date }) => status_date },
  { title: 'CGPA', kind: 'points', width: 9, value: ({ cgpa }) => cgpa },
  { title: 'CGPA after Semester', kind: 'number', width: 20, value: ({ cgpa_semester }) => cgpa_semester },
  { title: 'Final CGPA', kind: 'points', width: 12, value: ({ final_cgpa }) => final_cgpa },
  { title: 'FSC Marks', kind: 'number', width: 13, value: ({ fsc_marks }) => fromFraction(fsc_marks) },
  {
    title: 'Matric Marks',
    kind: 'number',
    width: 15,
    value: ({ matric_marks }) => fromFraction(matric_marks),
  },
  { title: 'Phone', kind: 'text', width: 18, value: ({ phone_number }) => phone_number },
  { title: "Father's Name", kind: 'text', width: 24, value: ({ father_name }) => father_name },
  { title: "Father's Phone", kind: 'text', width: 18, value: ({ father_phone }) => father_phone },
  {
    title: 'Entry complete',
    kind: 'text',
    width: 17,
    value: ({ is_complete }) => (is_complete ? 'Yes' : 'No'),
  },
];

/** Pages of a few hundred students, so that no file is held in memory as a whole. */
export type StudentPages = AsyncIterable<readonly StudentListItem[]>;
