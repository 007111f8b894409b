import { sql } from 'kysely';
import type { Sheet, SheetCategory, SheetRowInput, SheetRowReply } from '../../contract/marksheets/sheets.ts';
import { forShareOf } from '../db/dialect/locks.ts';
import { jsonToRows } from '../db/dialect/sql.ts';
import { preparedUpdate } from '../db/prepared-query.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, invalidField } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { presentRows, presentSheet } from './present-sheet.ts';
import {
  bumpVersion,
  getComponents,
  lockSheet,
  parseCategories,
  parseCells,
  requireDraft,
  requireNoRectification,
  rowFigures,
  type SheetRowColumns,
} from './sheet.ts';

/**
 * Keeps the students from being changed or deleted until the transaction ends: their rows follow a change of the ID.
 *
 * @throws ValidationError naming IDs that occur twice or are of no student
 */
export async function requireStudents(tx: Tx, ids: readonly string[]): Promise<void> {
  const twice = ids.filter((id, i) => ids.indexOf(id) < i);
  if (twice.length > 0) throw invalidField('ids', `The ids name ${formatIds(twice)} more than once.`);
  if (ids.length === 0) return;
  const known = await tx
    .selectFrom('students')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(forShareOf(tx, 'students'))
    .execute();
  const found = new Set(known.map(({ id }) => id));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) throw invalidField('ids', `There is no student with ID ${formatIds(unknown)}.`);
}

/** The first ten. */
function formatIds(ids: readonly string[]): string {
  const more = ids.length - 10;
  return `${ids.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export async function addRows(
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

export async function loadCells(tx: Tx, sheetId: number): Promise<SheetRowColumns[]> {
  return tx.selectFrom('sheet_rows').selectAll().where('sheet_id', '=', sheetId).execute();
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

/**
 * Sets how a row ends and in which semester the student takes the course.
 *
 * @throws AppError stale, with the present row, when it holds neither `was` nor what is to be set
 */
export async function updateRow(
  tx: Tx,
  author: Author,
  sheetId: number,
  studentId: string,
  { status, reason, semester, was }: SheetRowInput,
): Promise<{ version: number; row: SheetRowReply }> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  const before = await requireRow(tx, sheetId, studentId);
  const own = semester === sheet.semester ? null : semester;
  const columns = { status, reason, semester: own };
  const isStored = (row: Omit<SheetRowInput, 'was'>) =>
    before.status === row.status &&
    before.reason === row.reason &&
    (before.semester ?? sheet.semester) === (row.semester ?? sheet.semester);
  const isChanged = !isStored(columns);
  if (isChanged && was !== undefined && !isStored(was)) {
    const [current] = await presentRows(tx, sheet, [studentId]);
    throw new AppError('stale', 'Another user changed this row while you were editing.', {
      details: { current },
    });
  }
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
