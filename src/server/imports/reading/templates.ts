import type { ImportKind } from '../../../contract/imports.ts';
import type { ExportFormat } from '../../../contract/students/export.ts';
import type { Table } from '../../students/export/columns.ts';
import { toCsv } from '../../students/export/csv.ts';
import { toXlsx } from '../../students/export/xlsx.ts';
import { FIELDS } from './fields.ts';

type Example = Readonly<Record<string, string>>;

const AYESHA = { student_id: '2027901', student_name: 'Ayesha Khan' };

/** Invented people and courses. An example names only fields that have a column in the template. */
const EXAMPLES: Readonly<Record<ImportKind, readonly [Example, Example]>> = {
  students: [
    {
      id: '2027901',
      first_name: 'Ayesha',
      last_name: 'Khan',
      dob: '2008-03-14',
      gender: 'F',
      phone_number: '0300 5550 114',
      joining_date: '2027-02-01',
      department: 'CE',
      degree: '48',
      syn: 'A',
      current_sem: '1',
      fsc_marks: '1004',
      fsc_year: '2026',
      fsc_div: '1',
      matric_marks: '1047',
      matric_year: '2024',
      matric_div: '1',
      reason: '',
      father_name: 'Imran Khan',
      father_occupation: 'Teacher',
      mother_name: 'Sadia Khan',
      mother_occupation: 'Doctor',
      number_siblings: '2',
      father_phone: '0300 5550 115',
      mother_phone: '',
      home_phone: '',
      address: 'House 12, Street 4, Rawalpindi',
    },
    {
      id: '2027902',
      first_name: 'Muhammad Taimur',
      last_name: 'Ranjha',
      dob: '2007-11-09',
      gender: 'M',
      joining_date: '2027-02-01',
      department: 'ME',
      degree: '48',
      syn: 'C',
      current_sem: '1',
      fsc_marks: '938',
      fsc_year: '2026',
      fsc_div: '1',
      matric_marks: '996',
      matric_year: '2024',
      matric_div: '1',
      father_name: 'Ghazanfar Ranjha',
      father_occupation: 'Engineer',
    },
  ],
  results: [
    { ...AYESHA, semester: '1', title: 'Applied Physics', credits: '3', grade: 'B+' },
    { ...AYESHA, semester: '1', title: 'Calculus', credits: '3', grade: 'A' },
  ],
  courses: [
    {
      course_id: '9001',
      course_code: 'CS-901',
      course_name: 'Introduction to Programming',
      course_description: 'Variables, loops, functions and files.',
      credits: '4',
    },
    { course_id: '9002', course_code: 'MA-901', course_name: 'Calculus', credits: '3' },
  ],
  marks: [{ marks: '64.5' }, { marks: '78' }],
  scheme: [
    { semester: '1', code: 'MA-901', title: 'Calculus', hours: '3+0' },
    { semester: '2', code: 'CS-901', title: 'Introduction to Programming', hours: '3+1', needs: 'MA-901' },
  ],
};

const NAMES: Readonly<Record<ImportKind, string>> = {
  students: 'Students',
  results: 'Results',
  courses: 'Courses',
  marks: 'Marks',
  scheme: 'Scheme',
};
const MIN_WIDTH = 12;

/**
 * A file with the headings and two example rows, which can be imported as it is. In a workbook all cells are texts or dates, so
 * that no program rounds an ID or changes a date.
 */
export function importTemplate(kind: ImportKind, format: ExportFormat): AsyncIterable<string | Uint8Array> {
  const rules = FIELDS[kind].filter(({ gives, isExtra }) => gives === undefined && !isExtra);
  const table: Table<Example> = {
    columns: rules.map(({ field, label, value }) => ({
      title: label,
      kind: value === 'date' ? 'date' : 'text',
      width: Math.max(MIN_WIDTH, label.length + 2),
      value: (example) => example[field] ?? null,
    })),
    pages: (async function* () {
      yield EXAMPLES[kind];
    })(),
  };
  return format === 'csv'
    ? toCsv(table, { bom: false, separator: 'comma' })
    : toXlsx(table, { name: NAMES[kind] });
}
