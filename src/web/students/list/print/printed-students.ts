import { queryOptions } from '@tanstack/react-query';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { CellScanner } from '../../../../domain/columns/csv-cells.ts';
import { ApiError } from '../../../lib/api.ts';
import { currentAge, formatCount } from '../../../lib/format.ts';
import { requestExport } from '../export/export-request.ts';
import { type NamedStudents, toSelection } from './named-students.ts';

/** The most students that are printed at once: about fifty pages. */
const MAX_PRINTED = 2_000;

export interface PrintedStudent {
  id: string;
  name: string;
  /** Empty without family details. */
  fatherName: string;
  age: number;
  className: string;
  syndicate: string;
  semester: string;
  cgpa: string;
  fscMarks: string;
  matricMarks: string;
  phone: string;
}

/**
 * All students of a view or selection, in the order of the list. They are read as an export: in one call for any
 * selection, and with an entry in the history, since paper leaves the product as a file does.
 */
export const printedStudentsQuery = (view: StudentView, named: NamedStudents) =>
  queryOptions({
    queryKey: ['students', 'print', view, named],
    queryFn: async ({ signal }) => {
      const request = { format: 'csv', view, selection: toSelection(named) } as const;
      return readStudents(await requestExport(request, signal));
    },
    // What is printed is as it is now.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

async function readStudents({ body, headers, status }: Response): Promise<PrintedStudent[]> {
  if (body === null) throw new ApiError(status, 'The server sent no students. Try again.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const isTotalKnown = headers.get('X-Total-Is') === 'exact';
  let rows = isTotalKnown ? Number(headers.get('X-Total-Rows')) : 0;
  let text = '';
  while (rows <= MAX_PRINTED) {
    const { done, value } = await reader.read();
    if (done) return toStudents(readCsv(text));
    text += value;
    // No cell has a line end. The first line has the titles.
    if (!isTotalKnown) rows = text.split('\r\n').length - 2;
  }
  await reader.cancel();
  throw new ApiError(
    status,
    `More than ${formatCount(MAX_PRINTED)} students match, the most that can be printed at once. Narrow the search, or export them.`,
  );
}

/** An apostrophe before what a spreadsheet would read as a formula. Programs that read the file have to remove it. */
const GUARD = /^'(?=[=+\-@＝＋－＠])/;

/** The rows of an export. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const scanner = new CellScanner(text); scanner.next(); ) {
    row.push(scanner.value.replace(GUARD, ''));
    if (!scanner.endsLine) continue;
    rows.push(row);
    row = [];
  }
  // The last line has a line end too, after which the scanner sees a blank one.
  rows.pop();
  return rows;
}

function toStudents([titles = [], ...rows]: string[][]): PrintedStudent[] {
  return rows.map((row) => {
    const cell = (title: string) => row[titles.indexOf(title)] ?? '';
    return {
      id: cell('ID'),
      name: `${cell('First Name')} ${cell('Last Name')}`,
      fatherName: cell("Father's Name"),
      age: currentAge(cell('Date of Birth')),
      className: `${cell('Department')}-${cell('Degree')}-${cell('Syndicate')}`,
      syndicate: cell('Syndicate'),
      semester: cell('Current Semester'),
      cgpa: cell('CGPA'),
      fscMarks: cell('FSC Marks'),
      matricMarks: cell('Matric Marks'),
      phone: cell('Phone'),
    };
  });
}
