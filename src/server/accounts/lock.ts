import type { AccountState } from '../../contract/account-states.ts';
import { holdTable } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { findUser, isLastAdmin } from './queries.ts';
import { endLinks } from './recovery.ts';
import { endSessionsOf } from './sessions.ts';
import { noSuchUser } from './update-user.ts';

/** How people may sign in to each account. */
export async function accountStates(db: Db): Promise<AccountState[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('second_factors', 'user_id', 'users.id')
    .select(['users.id', 'locked_at', 'confirmed_at'])
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, locked_at, confirmed_at }) => ({
    id,
    locked: locked_at !== null,
    second_factor: confirmed_at !== null,
  }));
}

/**
 * Locks an account or unlocks it. Either ends its sessions and its links for a new password at once. Nothing changes
 * when it is so already.
 *
 * @throws InvalidFields when it is the author's own, or the only administrator's who can sign in
 */
export async function setLocked(db: Db, author: Author, userId: number, locked: boolean): Promise<void> {
  await transact(db, async (tx) => {
    await holdTable(tx, 'users');
    const account = await findUser(tx, userId);
    if (account === undefined) throw noSuchUser();
    const wasLocked = account.locked_at !== null;
    if (wasLocked === locked) return;
    if (userId === author.id) {
      // Of a call that was under way while somebody else locked the account.
      if (wasLocked) throw new AppError('session-over', 'Unauthenticated.');
      throw invalid('locked', 'Your own account can’t be locked.');
    }
    if (locked && (await isLastAdmin(tx, account))) {
      throw invalid('locked', 'The account of the last administrator can’t be locked.');
    }
    await tx
      .updateTable('users')
      .set({ locked_at: locked ? new Date().toISOString() : null })
      .where('id', '=', userId)
      .execute();
    await endSessionsOf(tx, userId);
    await endLinks(tx, userId);
    await recordChange(tx, author, {
      action: 'update',
      entity: 'user',
      entityId: userId,
      before: { locked: wasLocked },
      after: { locked },
    });
  });
}
