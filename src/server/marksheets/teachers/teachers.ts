import { sql } from 'kysely';
import type { SheetTeacher } from '../../../contract/marksheets/sheets.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { type Author, recordChange } from '../../history/record-change.ts';

/** Whom each of these sheets names as teachers, in their order. Those who can't work in it at present are not active. */
export async function loadTeachers(
  db: Db,
  sheetIds: readonly number[],
): Promise<ReadonlyMap<number, SheetTeacher[]>> {
  if (sheetIds.length === 0) return new Map();
  const ids = jsonElements(db, sql.val(JSON.stringify(sheetIds)));
  const rows = await db
    .selectFrom('sheet_teachers')
    .innerJoin('users', 'users.id', 'sheet_teachers.user_id')
    .select(['sheet_id', 'users.id', 'name', 'role', 'locked_at', 'waiting_for'])
    .where('sheet_id', 'in', sql<number>`(select cast(value as integer) from ${ids} e)`)
    .orderBy('sheet_id')
    .orderBy('position')
    .execute();
  const bySheet = groupBy(rows, ({ sheet_id }) => sheet_id);
  return new Map(
    [...bySheet].map(([sheetId, own]) => [
      sheetId,
      own.map(({ id, name, role, locked_at, waiting_for }) => ({
        id,
        name,
        active: role !== 'viewer' && locked_at === null && waiting_for === null,
      })),
    ]),
  );
}

/** The sheets that name this account, as a subquery. */
export const taughtSheets = (db: Db, userId: number) =>
  db.selectFrom('sheet_teachers').select('sheet_id').where('user_id', '=', userId);

/** Teachers who can work in their sheet at present. */
export const activeTeachers = (db: Db) =>
  db
    .selectFrom('sheet_teachers')
    .innerJoin('users', 'users.id', 'sheet_teachers.user_id')
    .where('role', '<>', 'viewer')
    .where('locked_at', 'is', null)
    .where('waiting_for', 'is', null);

export const findTeachers = async (db: Db, sheetId: number): Promise<SheetTeacher[]> =>
  (await loadTeachers(db, [sheetId])).get(sheetId) ?? [];

/** How an entry of the history keeps teachers: by name for readers, by id for checks. */
export const teachersState = (teachers: readonly Pick<SheetTeacher, 'id' | 'name'>[]) => ({
  teachers: teachers.map(({ name }) => name).join(', ') || null,
  teacher_ids: teachers.map(({ id }) => id),
});

/**
 * The accounts that may be named as teachers, in the order of the call.
 *
 * @throws ValidationError for viewers, and for accounts that there are not or that nobody can sign in to yet
 */
export async function requireTeachers(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const accounts = await db
    .selectFrom('users')
    .select(['id', 'name', 'role'])
    .where('id', 'in', ids)
    .where('waiting_for', 'is', null)
    .execute();
  return ids.map((id) => {
    const account = accounts.find((one) => one.id === id);
    if (account === undefined) throw invalidField('ids', `There is no account with number ${id}.`);
    if (account.role === 'viewer') throw invalidField('ids', `${account.name} is a viewer, not a teacher.`);
    return { id, name: account.name };
  });
}

/** Names the teachers of a sheet that has none. */
export async function insertTeachers(tx: Tx, sheetId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .insertInto('sheet_teachers')
    .values(ids.map((user_id, i) => ({ sheet_id: sheetId, user_id, position: i + 1 })))
    .execute();
}

/** Names other teachers than before, with the entry in the history. The caller has locked the sheet. */
export async function replaceTeachers(
  tx: Tx,
  author: Author,
  sheetId: number,
  before: readonly SheetTeacher[],
  after: readonly Pick<SheetTeacher, 'id' | 'name'>[],
): Promise<void> {
  await tx.deleteFrom('sheet_teachers').where('sheet_id', '=', sheetId).execute();
  await insertTeachers(
    tx,
    sheetId,
    after.map(({ id }) => id),
  );
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: teachersState(before),
    after: teachersState(after),
  });
}
