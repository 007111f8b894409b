import type { StudentListed } from '../../../contract/student-list.ts';
import { fromFraction } from '../../../domain/school-marks.ts';

interface Column {
  title: string;
  /** What its cells hold; `points` is a number that always shows two decimals. */
  kind: 'text' | 'number' | 'points' | 'date';
  /** Of a workbook's column, in characters. */
  width: number;
  of: (student: StudentListed) => string | number | null;
}

/** What an export tells of each student. */
export const COLUMNS: readonly Column[] = [
  { title: 'ID', kind: 'text', width: 14, of: ({ id }) => id },
  { title: 'First Name', kind: 'text', width: 18, of: ({ first_name }) => first_name },
  { title: 'Last Name', kind: 'text', width: 18, of: ({ last_name }) => last_name },
  { title: 'Date of Birth', kind: 'date', width: 14, of: ({ dob }) => dob },
  { title: 'Gender', kind: 'text', width: 10, of: ({ gender }) => gender },
  { title: 'Department', kind: 'text', width: 14, of: ({ department }) => department },
  { title: 'Degree', kind: 'text', width: 10, of: ({ degree }) => degree },
  { title: 'Syndicate', kind: 'text', width: 12, of: ({ syn }) => syn },
  { title: 'Current Semester', kind: 'number', width: 18, of: ({ current_sem }) => current_sem },
  { title: 'CGPA', kind: 'points', width: 9, of: ({ cgpa }) => cgpa },
  { title: 'FSC Marks', kind: 'number', width: 13, of: ({ fsc_marks }) => fromFraction(fsc_marks) },
  { title: 'Matric Marks', kind: 'number', width: 15, of: ({ matric_marks }) => fromFraction(matric_marks) },
  { title: 'Phone', kind: 'text', width: 18, of: ({ phone_number }) => phone_number },
  { title: "Father's Name", kind: 'text', width: 24, of: ({ father_name }) => father_name },
  { title: "Father's Phone", kind: 'text', width: 18, of: ({ father_phone }) => father_phone },
  { title: 'Entry complete', kind: 'text', width: 17, of: ({ is_complete }) => (is_complete ? 'Yes' : 'No') },
];

/** Students a few hundred at a time, so that a file of any length is never held as a whole. */
export type StudentPages = AsyncIterable<readonly StudentListed[]>;
