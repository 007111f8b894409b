import { vi } from 'vitest';
import type { Tx } from '../../../src/server/db/schema.ts';
import type { TestApp } from './test-app.ts';

/** Runs `act` when a call has been authorised, just before its first transaction. */
export function runBeforeTransaction({ db }: Pick<TestApp, 'db'>, act: (tx: Tx) => Promise<unknown>) {
  const beginTransaction = db.write.transaction.bind(db.write);
  return vi.spyOn(db.write, 'transaction').mockImplementationOnce(() => {
    const transaction = beginTransaction();
    const execute = transaction.execute.bind(transaction);
    transaction.execute = async (own) => {
      await beginTransaction().execute(act);
      return execute(own);
    };
    return transaction;
  });
}
