import { isRetryable } from './dialect/errors.ts';
import type { Db, Tx } from './schema.ts';

/** Retries after the first attempt. */
const MAX_RETRIES = 3;

/**
 * Runs `act` as one transaction: everything is stored when this resolves, nothing when it rejects. A transaction that a
 * database server aborts for the sake of another one (deadlock, serialization failure) is run again, so `act` must have
 * no effects outside the transaction.
 */
export async function retryTransaction<Result>(db: Db, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await db.transaction().execute(act);
    } catch (error) {
      if (retries === MAX_RETRIES || !isRetryable(error)) throw error;
    }
  }
}
