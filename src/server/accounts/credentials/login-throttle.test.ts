import { describe, expect } from 'vitest';
import { sharedApps } from '../../../../tests/support/app/test-app.ts';
import { holdTransaction, waitUntilBlocked } from '../../../../tests/support/database/open-transaction.ts';
import type { Tx } from '../../db/schema.ts';
import { countSignIn } from './login-throttle.ts';

describe.each(sharedApps())('the count of a sign-in, on $name', ({ test }) => {
  test('is undone although another change of the same counts locks them in another order', async ({
    app: { db },
  }) => {
    const attempt = await countSignIn(db.write, 'lock@faculty.example', '2001:db8::1', 10);
    const counts = await db.read.selectFrom('attempts').selectAll().execute();
    const [first, last] = [counts.at(0), counts.at(-1)].map((count) => count?.key ?? '');
    const touch = (tx: Tx | undefined, key: string | undefined) =>
      tx
        ?.updateTable('attempts')
        .set((eb) => ({ failures: eb.ref('failures') }))
        .where('key', '=', key ?? '')
        .execute();
    let held: Tx | undefined;
    const release = await holdTransaction(db.write, async (tx) => {
      held = tx;
      await touch(tx, last);
    });
    const undone = attempt.undo().then(
      () => 'undone',
      (error: unknown) => error,
    );
    await waitUntilBlocked(db.read);
    // PostgreSQL aborts either of the two, usually the one that waited first.
    await Promise.allSettled([touch(held, first)]);
    await Promise.allSettled([release()]);
    expect(await undone).toBe('undone');
    const left = await db.read.selectFrom('attempts').select('failures').execute();
    expect(left.map(({ failures }) => failures)).toEqual(counts.map(() => 0));
  });
});
