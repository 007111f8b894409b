import { type RawBuilder, sql } from 'kysely';
import type {
  CategoryInput,
  Sheet,
  SheetCategory,
  SheetInput,
  SheetUpdate,
} from '../../contract/marksheets/sheets.ts';
import { setupFaults } from '../../domain/marksheets/totals.ts';
import { inIdOrder } from '../../domain/search-text.ts';
import { SEMESTERS } from '../../domain/student.ts';
import { forShareOf } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, invalidField, ValidationError } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { findSchemeInForce } from '../students/audit/schemes.ts';
import { emptyRow, ownSemester, requireStudents } from './class-list/add-students.ts';
import { requireOnNoOtherSheet } from './class-list/other-sheets.ts';
import { presentSheet } from './present-sheet.ts';
import { isDated, lockTerm } from './registration/last-days.ts';
import { requireNotRefused } from './registration/require-registrable.ts';
import { keepDiscarded } from './restore/kept-sheet.ts';
import {
  bumpVersion,
  getComponents,
  lockSheet,
  parseCategories,
  parseCells,
  requireDraft,
  requireNoRectification,
  requireSheet,
  requireSheetVersion,
  type SheetColumns,
} from './sheet.ts';
import { deleteDraft, setupState, storeNewSheet } from './store-draft.ts';
import { requireTeachersPart } from './teachers/teacher-limits.ts';
import { loadCells, storeRows } from './write-rows.ts';

/** Adds a draft. Its students are those of `ids`, or the active ones of the class. */
export async function createSheet(tx: Tx, author: Author, input: SheetInput): Promise<Sheet> {
  const { course_id, term_id, semester, department, degree } = input;
  const course = await tx
    .selectFrom('courses')
    .select(['course_code', 'course_name', 'credits'])
    .where('course_id', '=', course_id)
    .executeTakeFirst();
  const term = await lockTerm(tx, term_id);
  if (course === undefined)
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  if (term === undefined) throw invalidField('term_id', 'The term id must be that of an existing term.');
  const credits = input.credits ?? course.credits;
  if (credits === null) throw invalidField('credits', 'The credits field is required.');
  requireSetup(input.categories, []);
  const syn = input.syn ?? [];
  const named = input.ids ?? [];
  const share = forShareOf(tx, 'students');
  const rows =
    named.length > 0
      ? (await requireStudents(tx, named, share)).map((one) => emptyRow(one.id, ownSemester(one, input)))
      : (await findClass(tx, { department, degree, syn }, share)).map((id) => emptyRow(id));
  const ids = rows.map(({ student_id }) => student_id);
  const scheme_row = (await findSchemeRow(tx, input))?.key ?? null;
  if (!isDated(term)) await requireOnNoOtherSheet(tx, input, ids, named.length > 0 ? 'ids' : 'syn');
  await requireNotRefused(tx, { sheet: { sheet_id: undefined, course_id, credits, scheme_row }, term, ids });
  const sheet = await storeNewSheet(
    tx,
    author,
    {
      ...{ course_id, term_id, semester, department, degree, credits, syn, scheme_row },
      ...{ course_code: course.course_code, course_name: course.course_name },
      title: input.title ?? course.course_name,
    },
    rows,
    numberCategories(input.categories, 0),
  );
  return presentSheet(tx, sheet);
}

/** The row of the scheme in force for the class that has the course; of several, one of the semester of the class. */
async function findSchemeRow(
  db: Db,
  {
    department,
    degree,
    semester,
    course_id,
  }: Pick<SheetInput, 'department' | 'degree' | 'semester' | 'course_id'>,
) {
  const scheme = await findSchemeInForce(db, { department, degree });
  const rows = scheme?.rows.filter(({ options }) => options.includes(course_id)) ?? [];
  return rows.find((row) => row.semester === semester) ?? rows[0];
}

/** @throws ValidationError naming the field of each fault */
export function requireSetup(
  categories: readonly CategoryInput[],
  rows: readonly ReturnType<typeof parseCells>[],
): void {
  const setup = categories.map((category) => ({
    ...category,
    components: category.components.map((component) => ({
      ...component,
      component_id: component.component_id ?? undefined,
    })),
  }));
  const faults = setupFaults(setup, rows);
  if (faults.length === 0) return;
  throw new ValidationError(
    Object.fromEntries(
      faults.map(({ path, text }) => [
        path.join('.'),
        [`The ${String(path.findLast((part) => typeof part === 'string')).replaceAll('_', ' ')} ${text}`],
      ]),
    ),
  );
}

/** Gives new categories and components the numbers after the last one. */
export function numberCategories(
  input: readonly CategoryInput[],
  last: number,
): { categories: SheetCategory[]; lastId: number } {
  let lastId = last;
  const number = (id: number | null | undefined) => {
    if (id != null) return id;
    lastId += 1;
    return lastId;
  };
  const categories = input.map(({ category_id, name, weight, best_of, components }) => ({
    category_id: number(category_id),
    name,
    weight,
    best_of,
    components: components.map(({ component_id, bonus, ...component }) => ({
      component_id: number(component_id),
      ...component,
      ...(bonus === true && { bonus }),
    })),
  }));
  return { categories, lastId };
}

/**
 * The IDs of the active students of a class, in their order. They are locked in that of the database, as everywhere.
 *
 * @param lock the end of the query, for a transaction that refers to the students
 */
export async function findClass(
  db: Db,
  { department, degree, syn }: Pick<Sheet, 'department' | 'degree' | 'syn'>,
  lock: RawBuilder<unknown> = sql``,
): Promise<string[]> {
  const students = await db
    .selectFrom('students')
    .select('id')
    // All of them, so that the index of classes is used.
    .where('current_sem', 'in', SEMESTERS)
    .where('department', '=', department)
    .where('degree', '=', degree)
    .where('status', '=', 'active')
    .$if(syn.length > 0, (query) => query.where('syn', 'in', syn))
    .orderBy('id')
    .modifyEnd(lock)
    .execute();
  return inIdOrder(
    students.map(({ id }) => id),
    (id) => id,
  );
}

/** Changes title, credit hours and categories. Totals follow the new set-up. */
export async function updateSheet(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  update: SheetUpdate,
  ifMatch: string | undefined,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const { title, credits, categories: input, discard } = update;
  const before = parseCategories(sheet);
  requireKnownIds(before, input);
  const rows = await loadCells(tx, sheetId);
  const cells = rows.map(parseCells);
  if (author.role === 'teacher') {
    const hasMarks = rows.some(({ filled }) => filled > 0);
    requireTeachersPart(update, { sheet, categories: before, hasMarks });
  }
  const kept = new Set(input.flatMap(({ components }) => components.map(({ component_id }) => component_id)));
  if (discard !== true) requireMarksKept(before, kept, cells);
  requireSetup(input, cells);
  const { categories, lastId } = numberCategories(input, sheet.last_component_id);
  const isSame = JSON.stringify(categories) === JSON.stringify(before);
  if (title === sheet.title && credits === sheet.credits && isSame) return presentSheet(tx, sheet);
  const stored = rows.map((row, i) => ({ ...row, cells: cells[i] ?? {} }));
  const after = await storeSetup(tx, author, sheet, { title, credits, categories, lastId, rows: stored });
  return presentSheet(tx, after);
}

/** @throws ValidationError naming components that hold marks and are not kept */
export function requireMarksKept(
  before: readonly SheetCategory[],
  kept: ReadonlySet<number | null | undefined>,
  cells: readonly ReturnType<typeof parseCells>[],
): void {
  const held = getComponents(before).filter(
    ({ component_id }) => !kept.has(component_id) && cells.some((own) => own[component_id] !== undefined),
  );
  if (held.length === 0) return;
  const names = held.map(({ name }) => name).join(', ');
  throw invalidField('categories', `The categories leave out ${names}, which holds marks.`);
}

interface NewSetup extends Pick<Sheet, 'title' | 'credits' | 'categories'> {
  /** The highest id of a category or component. */
  lastId: number;
  /** Rows with their cells, of which those of components that are gone go. */
  rows: readonly { student_id: string; cells: ReturnType<typeof parseCells> }[];
}

/** Stores a set-up that has been checked. The entry in the history keeps the marks of components that go. */
export async function storeSetup(
  tx: Tx,
  author: Author,
  sheet: SheetColumns,
  { title, credits, categories, lastId, rows }: NewSetup,
): Promise<SheetColumns> {
  const version = await bumpVersion(tx, sheet, 'setup');
  await tx
    .updateTable('sheets')
    .set({ title, credits, categories: JSON.stringify(categories), last_component_id: lastId })
    .where('sheet_id', '=', sheet.sheet_id)
    .execute();
  const ids = new Set(getComponents(categories).map(({ component_id }) => String(component_id)));
  const parts = rows.map(({ student_id, cells }) => {
    const own = Object.entries(cells);
    return {
      student_id,
      cells: Object.fromEntries(own.filter(([id]) => ids.has(id))),
      discarded: Object.fromEntries(own.filter(([id]) => !ids.has(id))),
    };
  });
  await storeRows(tx, sheet.sheet_id, version, parts, categories);
  const after = await requireSheet(tx, sheet.sheet_id);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheet.sheet_id,
    before: { ...setupState(sheet), ...keepDiscarded(sheet, parts) },
    after: setupState(after),
  });
  return after;
}

/** Categories and components that are named must be those of the sheet, each once. */
function requireKnownIds(before: readonly SheetCategory[], input: readonly CategoryInput[]): void {
  const known = {
    category: new Set(before.map(({ category_id }) => category_id)),
    component: new Set(getComponents(before).map(({ component_id }) => component_id)),
  };
  const seen = { category: new Set<number>(), component: new Set<number>() };
  const requireOne = (kind: keyof typeof known, id: number | null | undefined, path: string) => {
    if (id == null) return;
    if (!known[kind].has(id)) throw invalidField(path, `The ${kind} id must be that of the sheet.`);
    if (seen[kind].has(id)) throw invalidField(path, `The ${kind} id is given twice.`);
    seen[kind].add(id);
  };
  for (const [i, { category_id, components }] of input.entries()) {
    requireOne('category', category_id, `categories.${i}.category_id`);
    for (const [j, { component_id }] of components.entries()) {
      requireOne('component', component_id, `categories.${i}.components.${j}.component_id`);
    }
  }
}

/** Deletes a draft that was never submitted. The entry in the history keeps all of it. */
export async function deleteSheet(
  tx: Tx,
  author: Author,
  sheetId: number,
  ifMatch: string | undefined,
): Promise<void> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  if (sheet.submitted_at !== null) {
    throw new AppError('conflict', 'A mark sheet that was submitted once is not deleted.');
  }
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  await deleteDraft(tx, author, sheetId);
}
