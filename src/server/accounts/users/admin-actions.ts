import type { AccountState, Role } from '../../../contract/accounts/accounts.ts';
import { lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { revokeMailedLinks } from '../mailed-links.ts';
import { isLastAdmin, requireUser } from '../queries.ts';
import { endUserSessions } from '../sessions/sessions.ts';

/** @throws ValidationError for the last administrator */
export async function setRole(tx: Tx, author: Author, userId: number, role: Role): Promise<void> {
  await lockTable(tx, 'users');
  const account = await requireUser(tx, userId);
  if (account.role === role) return;
  if (await isLastAdmin(tx, account))
    throw invalidField('role', 'The role of the last administrator must stay admin.');
  await tx
    .updateTable('users')
    .set({ role, version: account.version + 1 })
    .where('id', '=', userId)
    .execute();
  await recordUpdate(tx, author, userId, { role: account.role }, { role });
}

/** Signs a person out everywhere. */
export async function endAllSessions(tx: Tx, author: Author, userId: number): Promise<void> {
  await lockTable(tx, 'users');
  await endUserSessions(tx, userId);
  await revokeMailedLinks(tx, userId);
  await recordUpdate(tx, author, userId, {}, { sessions_ended: 'all' });
}

/**
 * Locks or unlocks an account. Either way its sessions end and its mailed links are revoked. Does nothing when the account
 * is in that state already.
 *
 * @throws ValidationError for the author's own account and for the last administrator who can sign in
 */
export async function setLocked(tx: Tx, author: Author, userId: number, locked: boolean): Promise<void> {
  await lockTable(tx, 'users');
  const account = await requireUser(tx, userId);
  const wasLocked = account.locked_at !== null;
  if (wasLocked === locked) return;
  if (userId === author.id) throw invalidField('locked', 'Your own account can’t be locked.');
  if (locked && (await isLastAdmin(tx, account))) {
    throw invalidField('locked', 'The account of the last administrator can’t be locked.');
  }
  await tx
    .updateTable('users')
    .set({ locked_at: locked ? new Date().toISOString() : null })
    .where('id', '=', userId)
    .execute();
  await endUserSessions(tx, userId);
  await revokeMailedLinks(tx, userId);
  await recordUpdate(tx, author, userId, { locked: wasLocked }, { locked });
}

const recordUpdate = (tx: Tx, author: Author, entityId: number, before: object, after: object) =>
  recordChange(tx, author, { action: 'update', entity: 'user', entityId, before, after });

/** For each account, whether it is locked, pending, protected by two-factor authentication, and how long its invitation lasts. */
export async function listAccountStates(db: Db): Promise<AccountState[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('second_factors', 'user_id', 'users.id')
    .select((eb) => [
      'users.id',
      'locked_at',
      'confirmed_at',
      'waiting_for',
      eb
        .selectFrom('password_resets')
        .select((of) => of.fn.max('expires_at').as('expires_at'))
        .whereRef('password_resets.user_id', '=', 'users.id')
        .where('users.waiting_for', '=', 'invitation')
        .where('expires_at', '>', new Date().toISOString())
        .as('invitation_expires_at'),
    ])
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, locked_at, confirmed_at, waiting_for, invitation_expires_at }) => ({
    id,
    locked: locked_at !== null,
    second_factor: confirmed_at !== null,
    waiting_for,
    invitation_expires_at,
  }));
}
