import type { Sheet, SheetListItem } from '../../src/contract/marksheets/sheets.ts';
import type { Scheme, SchemeSummary } from '../../src/contract/schemes/schemes.ts';
import type { StudentPage } from '../../src/contract/students/student-list.ts';
import type { StudentInput } from '../../src/contract/students/students.ts';
import type { Term } from '../../src/contract/terms.ts';
import type { Api } from '../support/api.ts';
import { aCourse, aTerm, unique } from '../support/records.ts';
import type { Context } from './case.ts';

/** A student with results, a document and an earlier state. */
export async function makeRecord({ admin }: Context): Promise<StudentInput> {
  const student = await admin.createRecord([[{ title: 'Calculus', credits: 4, grade: 'B' }]], {
    current_sem: 2,
  });
  const edited = { ...student, phone_number: '0300 1234567' };
  await admin.send('PUT', `/api/students/${student.id}`, edited);
  return edited;
}

/** A sheet of the sample faculty in each state. */
export async function findSheets({ admin }: Context): Promise<Record<SheetListItem['state'], number>> {
  const sheets = await admin.get<SheetListItem[]>('/api/sheets');
  const find = (wanted: SheetListItem['state']) => {
    const sheet = sheets.find(({ state }) => state === wanted);
    if (sheet === undefined) throw new Error(`The faculty has no sheet that is ${wanted}.`);
    return sheet.sheet_id;
  };
  return { draft: find('draft'), submitted: find('submitted'), confirmed: find('confirmed') };
}

/** An applied import, which can be undone. @returns its number */
export async function makeImport({ admin }: Context): Promise<number> {
  const text = `Course ID,Course code,Title\n${aCourse().course_id},${unique()},Statics\n`;
  const { import: made } = await admin.post<{ import: { import_id: number } }>('/api/imports', {
    kind: 'courses',
    text,
  });
  const path = `/api/imports/${made.import_id}`;
  const mapping = { course_id: 0, course_code: 1, course_name: 2 };
  const { fingerprint } = await admin.post<{ fingerprint: string }>(`${path}/preview`, { mapping });
  await admin.post(`${path}/apply`, { fingerprint });
  return made.import_id;
}

/** A scheme in force and a draft of one. @returns their numbers */
export async function makeSchemes({ admin }: Context): Promise<{ inForce: number; draft: number }> {
  const schemes = await admin.get<SchemeSummary[]>('/api/schemes');
  const published = schemes.find(({ number }) => number !== null);
  if (published === undefined) throw new Error('The faculty has no scheme in force.');
  const { scheme } = await admin.post<{ scheme: Scheme }>('/api/schemes', {
    name: `BE ${unique()}`,
    department: published.department,
    degrees: published.degrees,
    from: published.scheme_id,
  });
  return { inForce: published.scheme_id, draft: scheme.scheme_id };
}

/** Two courses that count as one. Made before anything else, since other changes make its preview stale. */
export async function makeEquivalents(admin: Api): Promise<void> {
  const { course_id } = await admin.createCourse();
  const { course_id: other_id } = await admin.createCourse();
  const pair = { course_id, other_id, degrees: null };
  const { fingerprint } = await admin.post<{ fingerprint: string }>('/api/equivalents/preview', pair);
  await admin.post('/api/equivalents', { ...pair, fingerprint });
}

/** A student of the sample faculty, in a class as large as most. */
export async function findStudent({ admin }: Context): Promise<StudentPage['students'][number]> {
  const sheets = await admin.get<SheetListItem[]>('/api/sheets');
  const [largest] = sheets.toSorted((a, b) => b.students - a.students);
  const query = new URLSearchParams({
    degree: largest?.degree ?? '',
    department: largest?.department ?? '',
    limit: '1',
  });
  const { students } = await admin.get<StudentPage>(`/api/students?${query}`);
  const [student] = students;
  if (student === undefined) throw new Error('The sample faculty is empty.');
  return student;
}

/** A mark sheet of two components for a class of its own. */
export async function makeGrid({ admin }: Context, students: number): Promise<Sheet> {
  const degree = unique();
  for (let i = 1; i <= students; i += 1) {
    await admin.createStudent({ id: `${degree}-${i}`, degree, department: 'CE', current_sem: 1 });
  }
  const { course_id } = await admin.createCourse();
  const { term } = await admin.post<{ term: Term }>('/api/terms', aTerm());
  const { sheet } = await admin.post<{ sheet: Sheet }>('/api/sheets', {
    ...{ course_id, term_id: term.term_id, title: 'Signals', credits: 3, semester: 1 },
    ...{ department: 'CE', degree },
    categories: [
      { name: 'Mid', weight: 40, components: [{ name: 'Mid', max: 40 }] },
      { name: 'Final', weight: 60, components: [{ name: 'Final', max: 60 }] },
    ],
  });
  return sheet;
}

/** The stored marks of a sheet: those of a row with spaces between them, `-` for an empty one. */
export async function storedRows(api: Api, { sheet_id }: Pick<Sheet, 'sheet_id'>): Promise<string[]> {
  const { sheet } = await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet_id}`);
  const ids = sheet.categories.flatMap(({ components }) => components.map((one) => one.component_id));
  return sheet.rows.map(({ cells }) => ids.map((id) => cells[id] ?? '-').join(' '));
}
