import { linkEntries } from '../history/link-entries.ts';
import { isWorthRetrying } from './dialect.ts';
import type { Db, Tx } from './schema.ts';

/** Tries of a transaction that lost against others at the same time, beside the first. */
const RETRIES = 3;

/**
 * Runs `act` as one transaction: all of it is stored when this resolves, nothing when it rejects. A transaction that
 * a shared server ended for the sake of another one is tried again, so `act` must not do anything outside of it. The
 * entries of the history that it has written are linked to the chain at its end.
 */
export async function transact<Result>(db: Db, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        const result = await act(tx);
        await linkEntries(tx);
        return result;
      });
    } catch (error) {
      if (tries === RETRIES || !isWorthRetrying(error)) throw error;
    }
  }
}
