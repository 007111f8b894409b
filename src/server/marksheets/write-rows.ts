import type { Sheet, SheetCategory, SheetRowInput, SheetRowReply } from '../../contract/marksheets/sheets.ts';
import { rowField } from '../../domain/marksheets/row-field.ts';
import { REASON_LENGTH } from '../../domain/reason.ts';
import { preparedUpdate } from '../db/prepared-query.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, invalidField } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { rowState } from './class-list/add-students.ts';
import { presentRows } from './present-rows.ts';
import { presentSheet } from './present-sheet.ts';
import { lockTerm, requireInTime } from './registration/last-days.ts';
import { findRegistrations, registrationsState } from './registration/store-registrations.ts';
import {
  bumpVersion,
  lockSheet,
  parseCategories,
  type parseCells,
  requireDraft,
  requireNoRectification,
  rowFigures,
  type SheetColumns,
  type SheetRowColumns,
} from './sheet.ts';

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
    sheet_id: sheetId,
    student_id,
    version,
    cells: JSON.stringify(cells),
    ...rowFigures(categories, cells),
  }));
  await updateRows(tx, stored);
  return new Map(stored.map((row) => [row.student_id, row]));
}

/** @throws AppError not-found for a student who is not on the class list */
export async function requireRow(tx: Tx, sheetId: number, studentId: string): Promise<SheetRowColumns> {
  const row = await tx
    .selectFrom('sheet_rows')
    .selectAll()
    .where('sheet_id', '=', sheetId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'This student is not on the class list.');
  return row;
}

/** Takes a student off the class list. The row is kept for when the student is put back. */
export async function removeStudent(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  studentId: string,
  dropReason: string | null,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  const row = await requireRow(tx, sheetId, studentId);
  const { status, reason, semester, cells, attendance } = row;
  const removed = { status, reason, semester, cells, attendance };
  const term = await lockTerm(tx, sheet.term_id);
  if (term !== undefined) requireInTime(term, 'drop_until', author, dropReason !== null);
  const registered = (await findRegistrations(tx, sheetId)).filter((one) => one.student_id === studentId);
  await tx
    .deleteFrom('sheet_rows')
    .where('sheet_id', '=', sheetId)
    .where('student_id', '=', studentId)
    .execute();
  await tx
    .insertInto('sheet_removed_rows')
    .values({ sheet_id: sheetId, student_id: studentId, ...removed })
    .onConflict((conflict) => conflict.columns(['sheet_id', 'student_id']).doUpdateSet(removed))
    .execute();
  const version = await bumpVersion(tx, sheet, 'setup');
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: {
      student_removed: studentId,
      ...registrationsState(registered),
      ...rowState(row, parseCategories(sheet)),
    },
    after: {},
    reason: dropReason,
  });
  return presentSheet(tx, { ...sheet, version });
}

/**
 * The semester of a row that a teacher changes stays.
 *
 * @throws ValidationError when another one is named
 */
function getOwnSemester(
  sheet: Pick<SheetColumns, 'semester'>,
  row: Pick<SheetRowColumns, 'semester'>,
  named: number | null,
): number | null {
  if (named === null || named === (row.semester ?? sheet.semester)) return row.semester;
  throw invalidField('semester', 'The semester is set by the office.');
}

/**
 * Sets how a row ends and in which semester the student takes the course.
 *
 * @throws AppError stale, with the present row, when it holds neither `was` nor what is to be set
 */
export async function updateRow(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  studentId: string,
  { status, reason, semester: named, was }: SheetRowInput,
): Promise<{ version: number; row: SheetRowReply }> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  const before = await requireRow(tx, sheetId, studentId);
  const semester = author.role === 'teacher' ? getOwnSemester(sheet, before, named) : named;
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
  if (before.status !== 'withdrawn' && status === 'withdrawn' && sheet.rectifies === null) {
    const term = await lockTerm(tx, sheet.term_id);
    const hasReason = reason !== null && reason.length >= REASON_LENGTH.min;
    // Short attendance may end a row at any time.
    const [present] = await presentRows(tx, sheet, [studentId]);
    if (term !== undefined && present?.attendance?.short !== true)
      requireInTime(term, 'withdraw_until', author, hasReason);
  }
  const version = isChanged ? await bumpVersion(tx, sheet, 'cells') : sheet.version;
  if (isChanged) {
    await tx
      .updateTable('sheet_rows')
      .set({ ...columns, version })
      .where('sheet_id', '=', sheetId)
      .where('student_id', '=', studentId)
      .execute();
    const state = (row: Pick<SheetRowColumns, 'status' | 'reason' | 'semester'>) => ({
      [rowField(studentId, 'status')]: row.status,
      [rowField(studentId, 'reason')]: row.reason,
      [rowField(studentId, 'semester')]: row.semester ?? sheet.semester,
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
