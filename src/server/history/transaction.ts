import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { appendToChain } from './chain.ts';

/**
 * Runs `act` as one transaction, as {@link retryTransaction} does, and appends the history entries that it wrote to the
 * chain at its end.
 *
 * @param verify runs last, while the transaction holds the head of the chain; throws to roll everything back
 */
export function transact<Result>(
  db: Db,
  act: (tx: Tx) => Promise<Result>,
  verify?: (tx: Tx) => Promise<void>,
): Promise<Result> {
  return retryTransaction(db, async (tx) => {
    const result = await act(tx);
    await appendToChain(tx);
    await verify?.(tx);
    return result;
  });
}
