import { vi } from 'vitest';
import type { Tx } from '../../../src/server/db/schema.ts';
import { linkNextPending } from '../../../src/server/history/links.ts';
import type { TestApp } from './test-app.ts';

/** Runs `act` in a transaction of its own when a call has been authorised, just before its first transaction. */
export function runBeforeTransaction(app: Pick<TestApp, 'db'>, act: (tx: Tx) => Promise<unknown>) {
  const begin = app.db.write.transaction.bind(app.db.write);
  return callBeforeTransaction(app, () => begin().execute(act));
}

/** The same with what makes calls, which have transactions of their own. */
export function callBeforeTransaction({ db }: Pick<TestApp, 'db'>, act: () => Promise<unknown>) {
  const begin = db.write.transaction.bind(db.write);
  const spy = vi.spyOn(db.write, 'transaction').mockImplementation(() => {
    const transaction = begin();
    const execute = transaction.execute.bind(transaction);
    transaction.execute = async (own) => {
      // The history is linked in transactions that belong to no call.
      if (Object.is(own, linkNextPending)) return execute(own);
      spy.mockRestore();
      await act();
      return execute(own);
    };
    return transaction;
  });
  return spy;
}
