import type { Db } from '../db/schema.ts';

/** The only row. */
const ID = 1;
/** Milliseconds after which a backup that failed is tried again, or after the time between two where that is less. */
export const TRY_AGAIN = 10 * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/** What is to be noted as the beginning of one that is to be tried again. */
const triedAgain = (every: number, now: number) => iso(now - every + Math.min(every, TRY_AGAIN));

/** Whether a backup is to be made now, as far as reading tells. */
export async function isDue(db: Db, every: number, now: number): Promise<boolean> {
  const row = await schedule(db);
  return row === undefined || isOld(row.begun_at, every, now);
}

/**
 * Takes it upon this process to make the backup; of several that would at the same time, one is answered true. It lasts as
 * long as a failed one waits for another try, unless it is renewed: a process that is killed, or can't reach the database any
 * more, need not say so.
 */
export async function claim(db: Db, every: number, now: number): Promise<boolean> {
  await db
    .insertInto('backup_schedule')
    .values({ id: ID, begun_at: iso(0), good_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('backup_schedule')
    .set({ begun_at: triedAgain(every, now) })
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
    .set({ begun_at: iso(begun), good_at: iso(begun) })
    .where('id', '=', ID)
    .execute();
}

/** It is still being made, or has failed: any process may try again before long, unless this is said again. */
export async function tryLater(db: Db, every: number, now: number): Promise<void> {
  await db
    .updateTable('backup_schedule')
    .set({ begun_at: triedAgain(every, now) })
    .where('id', '=', ID)
    .execute();
}

/** When the latest good one was begun: all that had been saved by then is in it. */
export async function lastGood(db: Db): Promise<number | undefined> {
  const good = (await schedule(db))?.good_at;
  return good === undefined || good === null ? undefined : Date.parse(good);
}

const schedule = (db: Db) =>
  db.selectFrom('backup_schedule').selectAll().where('id', '=', ID).executeTakeFirst();

const isOld = (begun: string, every: number, now: number) => begun <= iso(now - every) || begun > iso(now);
