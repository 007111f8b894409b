import { sql } from 'kysely';
import { vi } from 'vitest';
import { isPostgres } from '../../../src/server/db/dialect/sql.ts';
import type { Db, Tx } from '../../../src/server/db/schema.ts';
import { transact } from '../../../src/server/history/transaction.ts';

/** Milliseconds after which a test fails because something waits for the open transaction. */
const LONGEST = 5000;

/**
 * Runs `act` in a transaction that stays open until the returned function is called. That rejects if the transaction was
 * open for longer than the time limit.
 */
export async function holdTransaction(
  db: Db,
  act: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve, reject) => {
    release = resolve;
    setTimeout(() => reject(new Error('Something waited for this transaction.')), LONGEST).unref();
  });
  released.catch(() => {});
  let transaction: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    transaction = transact(db, async (tx) => {
      await act(tx);
      resolve();
      await released;
    });
    transaction.catch(reject);
  });
  return () => {
    release();
    return transaction;
  };
}

/** Waits until so many statements wait for a lock. With SQLite at once: its writers wait for each other in the process. */
export async function waitUntilBlocked(db: Db, statements = 1): Promise<void> {
  if (!isPostgres(db)) return;
  await vi.waitUntil(
    async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length >= statements;
    },
    { timeout: LONGEST },
  );
}
