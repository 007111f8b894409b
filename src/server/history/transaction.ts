import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { Linker } from './linker.ts';
import { deferEntries, deferLinks, linkEntries } from './links.ts';

/**
 * Runs `act` as one transaction, as {@link retryTransaction} does, and links the history entries that it wrote to the chain:
 * at its end, or after its commit where the process has a {@link Linker}.
 *
 * @param verify runs last; throws to roll everything back
 */
export async function transact<Result>(
  db: Db,
  act: (tx: Tx) => Promise<Result>,
  verify?: (tx: Tx) => Promise<void>,
): Promise<Result> {
  const linker = Linker.of(db);
  const result = await retryTransaction(db, async (tx) => {
    if (linker !== undefined) deferLinks(tx);
    const result = await act(tx);
    await (linker === undefined ? linkEntries(tx) : deferEntries(tx));
    await verify?.(tx);
    return result;
  });
  linker?.wake();
  return result;
}
