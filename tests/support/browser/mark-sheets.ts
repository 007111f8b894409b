import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import type { Api } from '../api.ts';
import { aTerm, unique } from '../records.ts';

/** A mark sheet of a class of its own. Its only component has 100 marks, so the total of a row is its mark. */
export interface MadeSheet {
  sheet: Sheet;
  /** In the order of the rows. */
  ids: string[];
  degree: string;
  termId: number;
}

/**
 * Makes a class with complete records and a filled draft for it.
 *
 * @param api of staff, who make the sheet
 * @param admin makes the term
 */
export async function makeSheet(
  { api, admin }: { api: Api; admin: Api },
  marks: readonly (number | 'A' | null)[],
): Promise<MadeSheet> {
  const degree = unique();
  const { course_id } = await api.createCourse();
  const { term } = await admin.post<{ term: { term_id: number } }>('/api/terms', aTerm());
  const ids = marks.map((_, i) => `${degree}-${String(i + 1).padStart(2, '0')}`);
  for (const [i, id] of ids.entries()) {
    await api.createRecord([], { id, degree, department: 'CE', first_name: `Ali ${i + 1}`, current_sem: 1 });
  }
  const { sheet } = await api.post<{ sheet: Sheet }>('/api/sheets', {
    ...{ course_id, term_id: term.term_id, title: 'Signals', credits: 3, semester: 1 },
    ...{ department: 'CE', degree },
    categories: [{ name: 'Final', weight: 100, components: [{ name: 'Final', max: 100 }] }],
  });
  await putMarks(
    api,
    sheet,
    ids.map((id, i) => [id, marks[i] ?? null, null]),
  );
  return { sheet, ids, degree, termId: term.term_id };
}

type Mark = number | 'A' | null;

/** Stores marks of students in the only component of a sheet, each over what it was. */
export async function putMarks(
  api: Api,
  sheet: Sheet,
  marks: readonly (readonly [id: string, value: Mark, was: Mark])[],
): Promise<void> {
  const component_id = sheet.categories[0]?.components[0]?.component_id;
  const cells = marks.map(([student_id, value, was]) => ({ student_id, component_id, value, was }));
  const response = await api.send('PUT', `/api/sheets/${sheet.sheet_id}/cells`, { cells });
  if (!response.ok) throw new Error(await response.text());
}

/** Submits a sheet as staff, with a reason for each warning, and confirms it as an administrator. */
export async function confirmSheet(
  { api, admin }: { api: Api; admin: Api },
  { sheet_id }: Pick<Sheet, 'sheet_id'>,
): Promise<void> {
  const path = `/api/sheets/${sheet_id}`;
  const { warnings } = await api.get<{ warnings: { rule: string }[] }>(`${path}/checks`);
  const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
  await api.post(`${path}/submit`, { reasons });
  const { fingerprint } = await admin.get<{ fingerprint: string }>(`${path}/confirm`);
  await admin.post(`${path}/confirm`, { fingerprint });
}
