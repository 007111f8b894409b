import type { Db, Tx } from '../../../src/server/db/schema.ts';
import { deferEntries } from '../../../src/server/history/links.ts';

/** Commits a change as a process does that is killed before it has linked the entries of the history. */
export async function commitUnlinked(db: Db, act: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await act(tx);
    await deferEntries(tx);
  });
}
