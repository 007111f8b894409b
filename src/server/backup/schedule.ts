import type { Db } from '../db/schema.ts';

/** The only row. */
const ID = 1;
/** A backup that failed is tried again after this, or after the time between two where that is less. */
const TRY_AGAIN = 10 * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/** Whether a backup is to be made now, as far as reading tells. */
export async function isDue(db: Db, every: number, now: number): Promise<boolean> {
  const row = await schedule(db);
  return row === undefined || isOld(row.begun_at, every, now);
}

/** Takes it upon this process to make the backup; of several that would at the same time, one is answered true. */
export async function claim(db: Db, every: number, now: number): Promise<boolean> {
  await db
    .insertInto('backup_schedule')
    .values({ id: ID, begun_at: iso(0), good_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('backup_schedule')
    .set({ begun_at: iso(now) })
    .where('id', '=', ID)
    // One of the future was begun before the clock was put back.
    .where((eb) => eb.or([eb('begun_at', '<=', iso(now - every)), eb('begun_at', '>', iso(now))]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The backup that was begun then has come out well. */
export async function noteGood(db: Db, begun: number): Promise<void> {
  await db
    .updateTable('backup_schedule')
    .set({ good_at: iso(begun) })
    .where('id', '=', ID)
    .execute();
}

/** It has not; any process may try again before long. */
export async function noteFailed(db: Db, every: number, now: number): Promise<void> {
  const begun_at = iso(now - every + Math.min(every, TRY_AGAIN));
  await db.updateTable('backup_schedule').set({ begun_at }).where('id', '=', ID).execute();
}

/** When the latest good one was begun: all that had been saved by then is in it. */
export async function lastGood(db: Db): Promise<number | undefined> {
  const good = (await schedule(db))?.good_at;
  return good === undefined || good === null ? undefined : Date.parse(good);
}

const schedule = (db: Db) =>
  db.selectFrom('backup_schedule').selectAll().where('id', '=', ID).executeTakeFirst();

const isOld = (begun: string, every: number, now: number) => begun <= iso(now - every) || begun > iso(now);
