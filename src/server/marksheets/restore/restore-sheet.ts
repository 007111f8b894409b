import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { firstEntryId } from '../../history/list-history.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { findFormerOwners } from '../../students/former-ids.ts';
import { keptAttendance, toColumn } from '../attendance/stored-attendance.ts';
import { addRows } from '../class-list/add-students.ts';
import { requireOnNoOtherSheet } from '../class-list/other-sheets.ts';
import { presentSheet } from '../present-sheet.ts';
import { lockTerm } from '../registration/last-days.ts';
import { insertRegistrations, registrationsState } from '../registration/store-registrations.ts';
import {
  getComponents,
  lockSheet,
  parseCategories,
  parseCells,
  requireDraft,
  requireSheet,
  requireSheetVersion,
  type SheetColumns,
} from '../sheet.ts';
import { setupState } from '../store-draft.ts';
import { findTeachers, insertTeachers, teachersState } from '../teachers/teachers.ts';
import { loadCells } from '../write-rows.ts';
import { requireMarksKept, requireSetup, storeSetup } from '../write-sheet.ts';
import type { KeptSetup, KeptSheet } from './kept-sheet.ts';

/**
 * The rows under the present IDs of their students. A row is left out when its ID is another student's by now.
 *
 * @param entry number of the entry that keeps the rows
 */
async function underPresentIds<Row extends { student_id: string }>(
  db: Db,
  rows: readonly Row[],
  entry: number,
): Promise<Row[]> {
  const ids = rows.map(({ student_id }) => student_id);
  const owners = await findFormerOwners(db, ids, new Map(ids.map((id) => [id, entry])));
  const present =
    ids.length === 0 ? [] : await db.selectFrom('students').select('id').where('id', 'in', ids).execute();
  const others = new Set<string>();
  for (const { id } of present) {
    if (!owners.has(id) && (await firstEntryId(db, 'student', id)) > entry) others.add(id);
  }
  return rows.flatMap((row) => {
    if (others.has(row.student_id)) return [];
    return { ...row, student_id: owners.get(row.student_id) ?? row.student_id };
  });
}

/**
 * Makes a deleted draft again, with a new number.
 *
 * @param entry number of the entry of its deletion
 * @throws AppError conflict when its term has been deleted, or what it rectified is rectified by now; ValidationError when its
 * students stand on another sheet of the course and term
 */
export async function restoreSheet(
  tx: Tx,
  author: Author,
  { rows, removed, categories, teachers: named, registrations, ...kept }: KeptSheet,
  entry: number,
): Promise<SheetColumns> {
  if ((await lockTerm(tx, kept.term_id)) === undefined) {
    throw new AppError(
      'conflict',
      'The term of this mark sheet has been deleted. Restore it from its history first.',
    );
  }
  const listed = await underPresentIds(tx, rows, entry);
  const ids = listed.map(({ student_id }) => student_id);
  if (kept.rectifies === null) await requireOnNoOtherSheet(tx, kept, ids, 'ids');
  else await requireNotRectified(tx, kept.rectifies);
  const { sheet_id } = await tx
    .insertInto('sheets')
    .values({
      ...kept,
      categories: JSON.stringify(categories),
      state: 'draft',
      version: 1,
      setup_version: 1,
      created_by: author.id,
      created_name: author.name,
      created_at: new Date().toISOString(),
    })
    .returning('sheet_id')
    .executeTakeFirstOrThrow();
  const toColumns = (row: KeptSheet['rows'][number]) => ({
    ...row,
    cells: JSON.stringify(row.cells),
    attendance: row.attendance === null ? null : toColumn(row.attendance),
  });
  const restored = listed.map(toColumns);
  await addRows(tx, { sheet_id, version: 1 }, restored, categories);
  const registered = await insertRegistrations(
    tx,
    (await underPresentIds(tx, registrations, entry)).map((row) => ({
      ...{ ...row, sheet_id },
      covered: JSON.stringify(row.covered),
    })),
  );
  const taken = new Set(ids);
  const offList = (await underPresentIds(tx, removed, entry)).filter(
    ({ student_id }) => !taken.has(student_id),
  );
  if (offList.length > 0) {
    await tx
      .insertInto('sheet_removed_rows')
      .values(offList.map((row) => ({ sheet_id, ...toColumns(row) })))
      .execute();
  }
  await insertTeachers(tx, sheet_id, named);
  const sheet = await requireSheet(tx, sheet_id);
  const teachers = await findTeachers(tx, sheet_id);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'sheet',
    entityId: sheet_id,
    after: {
      ...setupState(sheet),
      students: listed.length,
      ...teachersState(teachers),
      ...keptAttendance(restored),
      ...registrationsState(registered),
    },
  });
  return sheet;
}

/** One rectification at a time, as when it is opened. */
async function requireNotRectified(tx: Tx, sheetId: number): Promise<void> {
  await lockSheet(tx, sheetId);
  const other = await tx
    .selectFrom('sheets')
    .select('sheet_id')
    .where('rectifies', '=', sheetId)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new AppError('conflict', `Mark sheet ${other.sheet_id} rectifies mark sheet ${sheetId} by now.`);
}

/**
 * Gives a draft the set-up again that it had before components were discarded, with the marks of these.
 *
 * @param entry number of the entry that keeps them
 * @throws AppError conflict for a sheet that is no draft; ValidationError when the set-up of now has components that would be lost
 */
export async function restoreSetup(
  tx: Tx,
  author: Author,
  sheetId: number,
  { title, credits, categories, rows: kept }: KeptSetup,
  { entry, ifMatch }: { entry: number; ifMatch: string | undefined },
): Promise<SheetColumns> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const marks = new Map(
    (await underPresentIds(tx, kept, entry)).map(({ student_id, cells }) => [student_id, cells]),
  );
  const rows = (await loadCells(tx, sheetId)).map((row) => ({
    ...row,
    // What was entered since stays.
    cells: { ...marks.get(row.student_id), ...parseCells(row) },
  }));
  const cells = rows.map((row) => row.cells);
  const ids = new Set(getComponents(categories).map(({ component_id }) => component_id));
  requireMarksKept(parseCategories(sheet), ids, cells);
  requireSetup(categories, cells);
  const lastId = sheet.last_component_id;
  return storeSetup(tx, author, sheet, { title, credits, categories, lastId, rows });
}
