import { onTestFinished } from 'vitest';
import type { Db, Tx } from '../../src/server/db/schema.ts';
import { transact } from '../../src/server/db/transact.ts';

/** Runs `act` in a transaction that stays open until what this answers is called, or the test is over. */
export async function heldOpen(db: Db, act: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  onTestFinished(release);
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
