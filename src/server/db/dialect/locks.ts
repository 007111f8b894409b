import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Schema, Tx } from '../schema.ts';
import { isPostgres } from './sql.ts';

/**
 * Locks a table, for decisions that depend on all of its rows. SQLite runs write transactions one after another anyway.
 */
export async function lockTable(tx: Tx, table: keyof Schema): Promise<void> {
  if (isPostgres(tx)) await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx);
}

/** Locks the rows read until the end of the transaction (`for update`). SQLite has one writer anyway. */
export function locked<O>(tx: Tx, query: SelectQueryBuilder<Schema, keyof Schema, O>) {
  return isPostgres(tx) ? query.forUpdate() : query;
}

/** The end of a query written as text that locks the rows read, as {@link locked}. */
export const forUpdate = (db: Db) => (isPostgres(db) ? sql`for update` : sql``);

/**
 * The end of a query written as text that keeps the rows read from being changed until the end of the transaction, while others
 * read them in the same way. Locks the rows of one table after those of another, in the order of the names.
 */
export const forShareOf = (db: Db, ...tables: readonly string[]) =>
  isPostgres(db) ? sql`for share of ${sql.join(tables.map((name) => sql.ref(name)))}` : sql``;

/** Whether transactions that write run one after another in any case. */
export const hasOneWriter = (db: Db) => !isPostgres(db);

/** The same as {@link locked}, but skips rows that another transaction has locked. */
export function skipLocked<O>(tx: Tx, query: SelectQueryBuilder<Schema, keyof Schema, O>) {
  return isPostgres(tx) ? query.forUpdate().skipLocked() : query;
}

/** Locks a key until the end of the transaction, for things that have no row yet. */
export async function advisoryLock(tx: Tx, key: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** The same as {@link advisoryLock}, but together with other transactions that lock it shared. */
export async function sharedAdvisoryLock(tx: Db, key: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(tx);
}

/** The same as {@link sharedAdvisoryLock} as a condition of a query written as text, which first locks the key and then its rows. */
export const holdingShared = (db: Db, key: string) =>
  isPostgres(db)
    ? sql`and (select pg_advisory_xact_lock_shared(hashtextextended(${sql.lit(key)}, 0))) is not null`
    : sql``;

/** Removes the statement timeout of a transaction; the watch of the connection recognises this text. */
export const BEGIN_WITHOUT_TIMEOUTS = 'set local statement_timeout = 0';

/** For a transaction that may wait or run for minutes. */
export async function withoutTimeouts(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) return;
  await sql.raw(BEGIN_WITHOUT_TIMEOUTS).execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** For a transaction that fills the database: no timeouts, and memory for sorting. */
export async function tuneForBulkLoad(tx: Tx): Promise<void> {
  if (!isPostgres(tx)) {
    await sql`pragma cache_size = -131072`.execute(tx);
    return;
  }
  await withoutTimeouts(tx);
  await sql`set local maintenance_work_mem = '128MB'`.execute(tx);
  await sql`set local work_mem = '128MB'`.execute(tx);
}
