import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import type { Term } from '../../../src/contract/terms.ts';
import type { Api } from '../api.ts';
import { aCourse, aTerm, unique } from '../records.ts';
import { expect, type Page } from './fixtures.ts';

const single = (name: string, weight: number, max: number) => ({
  ...{ name, weight, best_of: null },
  components: [{ name, max }],
});

/** Five components, as of most courses. */
export const FIVE_COMPONENTS: readonly object[] = [
  single('Quizzes', 10, 40),
  single('Assignments', 10, 30),
  single('OHT 1', 15, 30),
  single('OHT 2', 15, 30),
  single('ESE', 50, 100),
];

/** Two components, so that totals are easily added up. */
const TWO_COMPONENTS: readonly object[] = [single('Mid', 40, 40), single('Final', 60, 100)];

/** A draft for students of its own, in a batch, a course and a term of its own. */
export async function createSheet(
  admin: Api,
  { students, categories = TWO_COMPONENTS }: { students: number; categories?: readonly object[] },
): Promise<Sheet> {
  const degree = unique();
  for (let i = 1; i <= students; i += 1) {
    await admin.createStudent({
      id: `${degree}-${String(i).padStart(2, '0')}`,
      degree,
      department: 'CE',
      syn: 'A',
    });
  }
  const course = aCourse();
  await admin.post('/api/courses', course);
  const { term } = await admin.post<{ term: Term }>('/api/terms', aTerm());
  const { sheet } = await admin.post<{ sheet: Sheet }>('/api/sheets', {
    course_id: course.course_id,
    term_id: term.term_id,
    ...{ title: 'Signals', credits: 3, semester: 1, department: 'CE', degree, categories },
  });
  return sheet;
}

export const sheetPage = ({ sheet_id }: Pick<Sheet, 'sheet_id'>) => `/marksheets/${sheet_id}`;

/** A cell of the grid by the places of its row and component, from 0. */
export const markCell = (page: Page, row: number, column: number) =>
  page.locator(`td[data-row="${row}"][data-column="${column}"]`);

/** Opens the grid of a sheet with the first cell chosen. */
export async function openGrid(page: Page, sheet: Pick<Sheet, 'sheet_id'>): Promise<void> {
  await page.goto(sheetPage(sheet));
  await markCell(page, 0, 0).click();
}

/** The stored cells of a sheet: those of a row with spaces between them, `-` for an empty one. */
export async function storedCells(api: Api, { sheet_id }: Pick<Sheet, 'sheet_id'>): Promise<string[]> {
  const { sheet } = await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet_id}`);
  const ids = sheet.categories.flatMap(({ components }) => components.map((one) => one.component_id));
  return sheet.rows.map(({ cells }) => ids.map((id) => cells[id] ?? '-').join(' '));
}

export const expectStored = (api: Api, sheet: Pick<Sheet, 'sheet_id'>, cells: readonly string[]) =>
  expect.poll(() => storedCells(api, sheet)).toEqual(cells);
