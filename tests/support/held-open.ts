import type { Db, Tx } from '../../src/server/db/schema.ts';
import { transact } from '../../src/server/db/transact.ts';

/** Milliseconds after which somebody is taken to be waiting who should not. */
const LONGEST = 5000;

/**
 * Runs `act` in a transaction that stays open until what this answers is called. A test that does not come to that in
 * time fails there.
 */
export async function heldOpen(db: Db, act: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
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
