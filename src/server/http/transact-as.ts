import { sql } from 'kysely';
import { forShareOf, lockTable } from '../db/dialect/locks.ts';
import { preparedQuery } from '../db/prepared-query.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Author } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import type { Actor } from './actor.ts';
import { isTeacherOf, noSuchSheet } from './sheet-teachers.ts';

/** The actor as the author of changes, inside a transaction that verifies their rights. */
export type VerifiedActor = Pick<Actor, 'id' | 'name' | 'email' | 'role'> & { tokenHash?: never };

/** The author of a change that depends on the role. A program has one too. */
export type AuthorWithRole = Author & Pick<VerifiedActor, 'role'>;

const toAuthor = ({ id, name, email, role }: Actor): VerifiedActor => ({ id, name, email, role });

/**
 * Changes records in one transaction, as {@link transact} does, in the name of the actor. Rolls back when the actor has lost
 * the session, the role or the place on the sheet's list of teachers since the call was admitted.
 *
 * The rights are verified last, under a shared lock of the account and the session, which is held only for the commit. A change
 * of either is seen here, or waits for the commit. Such changes lock the account first too.
 *
 * @throws AppError session-over, forbidden or not-found when the rights are lost
 */
export function transactAs<Result>(
  db: Db,
  actor: Actor,
  act: (tx: Tx, author: VerifiedActor) => Promise<Result>,
): Promise<Result> {
  return transact(
    db,
    (tx) => act(tx, toAuthor(actor)),
    (tx) => requireRights(tx, actor),
  );
}

/**
 * {@link transactAs} for changes of accounts and sessions. These may end the actor's own session, so the rights are verified
 * first, under a lock of the `users` table that excludes other such changes until the transaction ends.
 *
 * @throws AppError session-over or forbidden when the rights are lost
 */
export function transactAccountsAs<Result>(
  db: Db,
  actor: Actor,
  act: (tx: Tx, author: VerifiedActor) => Promise<Result>,
): Promise<Result> {
  return transact(db, async (tx) => {
    await lockTable(tx, 'users');
    await requireRights(tx, actor);
    return act(tx, toAuthor(actor));
  });
}

interface Rights {
  role: Actor['role'];
  locked_at: string | null;
  expires_at: string;
}

const findRights = preparedQuery<Rights, [tokenHash: string]>(
  (db) => sql`select u.role, u.locked_at, s.expires_at from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${''} ${forShareOf(db, 'u', 's')}`,
);

async function requireRights(tx: Tx, actor: Actor): Promise<void> {
  const account = await findRights(tx, actor.tokenHash);
  if (account === undefined || account.locked_at !== null || account.expires_at <= new Date().toISOString()) {
    throw new AppError('session-over', 'Unauthenticated.');
  }
  // The call may do what another role may not, such as change final results.
  if (account.role !== actor.role) {
    throw new AppError('forbidden', 'Your role was changed before this could be saved.');
  }
  const { taughtSheet } = actor;
  if (taughtSheet !== null && !(await isTeacherOf(tx, taughtSheet, actor.id))) throw noSuchSheet();
}
