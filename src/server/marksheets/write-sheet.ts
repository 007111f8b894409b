import { sql } from 'kysely';
import type {
  CategoryInput,
  Sheet,
  SheetCategory,
  SheetInput,
  SheetRowInput,
  SheetRowReply,
  SheetUpdate,
} from '../../contract/marksheets/sheets.ts';
import { setupFaults } from '../../domain/marksheets/totals.ts';
import { jsonToRows } from '../db/dialect/sql.ts';
import { preparedUpdate } from '../db/prepared-query.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, invalidField, ValidationError } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { presentRows, presentSheet } from './present-sheet.ts';
import {
  bumpVersion,
  findSheet,
  getComponents,
  lockSheet,
  parseCategories,
  parseCells,
  requireDraft,
  requireNoRectification,
  requireSheetVersion,
  rowFigures,
  type SheetColumns,
  type SheetRowColumns,
} from './sheet.ts';

/** Adds a draft. Its students are those of `ids`, or the active ones of the class. */
export async function createSheet(tx: Tx, author: Author, input: SheetInput): Promise<Sheet> {
  const { course_id, term_id, semester, department, degree } = input;
  const course = await tx
    .selectFrom('courses')
    .select(['course_code', 'course_name', 'credits'])
    .where('course_id', '=', course_id)
    .executeTakeFirst();
  const term = await tx
    .selectFrom('terms')
    .select('term_id')
    .where('term_id', '=', term_id)
    .executeTakeFirst();
  if (course === undefined)
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  if (term === undefined) throw invalidField('term_id', 'The term id must be that of an existing term.');
  const credits = input.credits ?? course.credits;
  if (credits === null) throw invalidField('credits', 'The credits field is required.');
  requireSetup(input.categories, []);
  const { categories, lastId } = numberCategories(input.categories, 0);
  const syn = input.syn ?? [];
  const isNamed = input.ids != null && input.ids.length > 0;
  const ids = isNamed ? (input.ids ?? []) : await findClass(tx, { department, degree, syn });
  if (isNamed) await requireStudents(tx, ids);
  const { sheet_id } = await tx
    .insertInto('sheets')
    .values({
      ...{ course_id, term_id, semester, department, degree, credits },
      course_code: course.course_code,
      course_name: course.course_name,
      title: input.title ?? course.course_name,
      syn: JSON.stringify(syn),
      state: 'draft',
      version: 1,
      setup_version: 1,
      categories: JSON.stringify(categories),
      last_component_id: lastId,
      created_by: author.id,
      created_name: author.name,
      created_at: new Date().toISOString(),
    })
    .returning('sheet_id')
    .executeTakeFirstOrThrow();
  await addRows(tx, sheet_id, 1, ids, categories);
  const sheet = await findSheet(tx, sheet_id);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'sheet',
    entityId: sheet_id,
    after: { ...setupState(sheet), students: ids.length },
  });
  return presentSheet(tx, sheet);
}

/** What the history keeps of the set-up. */
export const setupState = (sheet: SheetColumns) => ({
  course: `${sheet.course_code} · ${sheet.course_name}`,
  title: sheet.title,
  class: `${sheet.department}-${sheet.degree}`,
  semester: sheet.semester,
  credits: sheet.credits,
  categories: parseCategories(sheet).map(describeCategory).join('; '),
});

const describeCategory = ({ name, weight, best_of, components }: SheetCategory) =>
  `${name} ${weight} %${best_of === null ? '' : `, best ${best_of}`} (${components
    .map((component) => `${component.name} /${component.max}${component.bonus ? ' with bonus' : ''}`)
    .join(', ')})`;

/** @throws ValidationError naming the field of each fault */
function requireSetup(
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
function numberCategories(
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
    ...{ name, weight, best_of },
    components: components.map(({ component_id, bonus, ...component }) => ({
      component_id: number(component_id),
      ...component,
      ...(bonus === true && { bonus }),
    })),
  }));
  return { categories, lastId };
}

/** The IDs of the active students of a class. */
export async function findClass(
  db: Db,
  { department, degree, syn }: Pick<Sheet, 'department' | 'degree' | 'syn'>,
): Promise<string[]> {
  const students = await db
    .selectFrom('students')
    .select('id')
    .where('department', '=', department)
    .where('degree', '=', degree)
    .where('status', '=', 'active')
    .$if(syn.length > 0, (query) => query.where('syn', 'in', syn))
    .orderBy('id')
    .execute();
  return students.map(({ id }) => id);
}

/** @throws ValidationError naming IDs that occur twice or are of no student */
async function requireStudents(tx: Tx, ids: readonly string[]): Promise<void> {
  const twice = ids.filter((id, i) => ids.indexOf(id) < i);
  if (twice.length > 0) throw invalidField('ids', `The ids name ${formatIds(twice)} more than once.`);
  if (ids.length === 0) return;
  const known = await tx.selectFrom('students').select('id').where('id', 'in', ids).execute();
  const found = new Set(known.map(({ id }) => id));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) throw invalidField('ids', `There is no student with ID ${formatIds(unknown)}.`);
}

/** The first ten. */
function formatIds(ids: readonly string[]): string {
  const more = ids.length - 10;
  return `${ids.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

async function addRows(
  tx: Tx,
  sheetId: number,
  version: number,
  ids: readonly string[],
  categories: readonly SheetCategory[],
): Promise<void> {
  if (ids.length === 0) return;
  const row = {
    sheet_id: sheetId,
    status: 'graded',
    cells: '{}',
    ...rowFigures(categories, {}),
    version,
  } as const;
  const columns = ['sheet_id', 'student_id', 'status', 'cells', 'filled', 'is_absent', 'version'] as const;
  const rows = jsonToRows(
    tx,
    ids.map((student_id) => ({ student_id })),
    { student_id: 'text' },
  );
  await sql`insert into sheet_rows (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${row.sheet_id}, student_id, ${row.status}, ${row.cells}, ${row.filled}, ${row.is_absent}, ${row.version}
    from ${rows} r`.execute(tx);
}

async function loadCells(tx: Tx, sheetId: number): Promise<SheetRowColumns[]> {
  return tx.selectFrom('sheet_rows').selectAll().where('sheet_id', '=', sheetId).execute();
}

/** Changes title, credit hours and categories. Totals follow the new set-up. */
export async function updateSheet(
  tx: Tx,
  author: Author,
  sheetId: number,
  { title, credits, categories: input, discard }: SheetUpdate,
  ifMatch: string | undefined,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const before = parseCategories(sheet);
  requireKnownIds(before, input);
  const rows = await loadCells(tx, sheetId);
  const cells = rows.map(parseCells);
  const kept = new Set(input.flatMap(({ components }) => components.map(({ component_id }) => component_id)));
  const gone = getComponents(before).filter(({ component_id }) => !kept.has(component_id));
  const held = gone.filter(({ component_id }) => cells.some((own) => own[component_id] !== undefined));
  if (held.length > 0 && discard !== true) {
    const names = held.map(({ name }) => name).join(', ');
    throw invalidField('categories', `The categories leave out ${names}, which holds marks.`);
  }
  requireSetup(input, cells);
  const { categories, lastId } = numberCategories(input, sheet.last_component_id);
  const changed = { title, credits, categories: JSON.stringify(categories) };
  if (title === sheet.title && credits === sheet.credits && changed.categories === JSON.stringify(before)) {
    return presentSheet(tx, sheet);
  }
  const version = await bumpVersion(tx, sheet, 'setup');
  await tx
    .updateTable('sheets')
    .set({ ...changed, last_component_id: lastId })
    .where('sheet_id', '=', sheetId)
    .execute();
  const ids = new Set(getComponents(categories).map(({ component_id }) => String(component_id)));
  await storeRows(
    tx,
    sheetId,
    version,
    rows.map((row, i) => ({
      student_id: row.student_id,
      cells: Object.fromEntries(Object.entries(cells[i] ?? {}).filter(([id]) => ids.has(id))),
    })),
    categories,
  );
  const after = await findSheet(tx, sheetId);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: setupState(sheet),
    after: setupState(after),
  });
  return presentSheet(tx, after);
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

const updateRows = preparedUpdate(
  'sheet_rows',
  { sheet_id: 'integer', student_id: 'text' },
  { cells: 'text', filled: 'integer', total: 'integer', is_absent: 'integer', version: 'integer' },
);

/** Stores the cells of rows with the figures that follow from them. @returns the stored columns by student */
export async function storeRows(
  tx: Tx,
  sheetId: number,
  version: number,
  rows: readonly { student_id: string; cells: ReturnType<typeof parseCells> }[],
  categories: readonly SheetCategory[],
): Promise<ReadonlyMap<string, Partial<SheetRowColumns>>> {
  const stored = rows.map(({ student_id, cells }) => ({
    ...{ sheet_id: sheetId, student_id, version },
    cells: JSON.stringify(cells),
    ...rowFigures(categories, cells),
  }));
  await updateRows(tx, stored);
  return new Map(stored.map((row) => [row.student_id, row]));
}

/** Adds students to the class list; those who are on it stay as they are. */
export async function addStudents(
  tx: Tx,
  author: Author,
  sheetId: number,
  ids: readonly string[],
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  await requireStudents(tx, ids);
  const listed = new Set((await loadCells(tx, sheetId)).map(({ student_id }) => student_id));
  const added = ids.filter((id) => !listed.has(id));
  if (added.length === 0) return presentSheet(tx, sheet);
  const version = await bumpVersion(tx, sheet, 'setup');
  await addRows(tx, sheetId, version, added, parseCategories(sheet));
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    after: { students_added: added.join(', ') },
  });
  return presentSheet(tx, { ...sheet, version });
}

/** @throws AppError not-found for a student who is not on the class list */
async function requireRow(tx: Tx, sheetId: number, studentId: string): Promise<SheetRowColumns> {
  const row = await tx
    .selectFrom('sheet_rows')
    .selectAll()
    .where('sheet_id', '=', sheetId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'This student is not on the class list.');
  return row;
}

/** Takes a student off the class list. The marks stay in the history. */
export async function removeStudent(
  tx: Tx,
  author: Author,
  sheetId: number,
  studentId: string,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  const row = await requireRow(tx, sheetId, studentId);
  await tx
    .deleteFrom('sheet_rows')
    .where('sheet_id', '=', sheetId)
    .where('student_id', '=', studentId)
    .execute();
  const version = await bumpVersion(tx, sheet, 'setup');
  const names = new Map(
    getComponents(parseCategories(sheet)).map(({ component_id, name }) => [String(component_id), name]),
  );
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: {
      student_removed: studentId,
      ...Object.fromEntries(
        Object.entries(parseCells(row)).map(([id, cell]) => [`${studentId} · ${names.get(id)}`, cell]),
      ),
    },
    after: {},
  });
  return presentSheet(tx, { ...sheet, version });
}

/** Sets how a row ends and in which semester the student takes the course. */
export async function updateRow(
  tx: Tx,
  author: Author,
  sheetId: number,
  studentId: string,
  { status, reason, semester }: SheetRowInput,
): Promise<{ version: number; row: SheetRowReply }> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  const before = await requireRow(tx, sheetId, studentId);
  const own = semester === sheet.semester ? null : semester;
  const columns = { status, reason, semester: own };
  const isChanged = before.status !== status || before.reason !== reason || before.semester !== own;
  if (isChanged && sheet.rectifies !== null && before.semester !== own) requireNoRectification(sheet);
  const version = isChanged ? await bumpVersion(tx, sheet, 'cells') : sheet.version;
  if (isChanged) {
    await tx
      .updateTable('sheet_rows')
      .set({ ...columns, version })
      .where('sheet_id', '=', sheetId)
      .where('student_id', '=', studentId)
      .execute();
    const state = (row: Pick<SheetRowColumns, 'status' | 'reason' | 'semester'>) => ({
      [`${studentId} · status`]: row.status,
      [`${studentId} · reason`]: row.reason,
      [`${studentId} · semester`]: row.semester ?? sheet.semester,
    });
    await recordChange(tx, author, {
      action: 'update',
      entity: 'sheet',
      entityId: sheetId,
      before: state(before),
      after: state(columns),
    });
  }
  const [row] = await presentRows(tx, { ...sheet, version }, [studentId]);
  if (row === undefined) throw new Error('The row of a sheet is missing.');
  return { version, row };
}

/** Deletes a draft that was never submitted. */
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
  const rows = await loadCells(tx, sheetId);
  await tx.deleteFrom('sheets').where('sheet_id', '=', sheetId).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'sheet',
    entityId: sheetId,
    before: { ...setupState(sheet), students: rows.length },
  });
}
