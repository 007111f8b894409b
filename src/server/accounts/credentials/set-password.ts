import type { Db, Tx } from '../../db/schema.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import type { Actor } from '../../http/actor.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { revokeMailedLinks } from '../mailed-links.ts';
import { endOtherSessions, endUserSessions } from '../sessions/sessions.ts';
import { requireAcceptablePassword } from './acceptable-password.ts';
import { hashPassword } from './hash.ts';
import { clearFailures } from './login-throttle.ts';

/** The owner sets another password: their other sessions end. The caller has confirmed the old one. */
export async function changePassword(
  tx: Tx,
  author: VerifiedActor,
  actor: Actor,
  passwordHash: string,
): Promise<void> {
  await storePassword(tx, author, actor.id, passwordHash, { before: {}, after: { password: 'changed' } });
  await endOtherSessions(tx, actor);
}

/**
 * Replaces a password that was forgotten or may be known to others: every session of the account ends, and its failed
 * sign-ins are cleared.
 *
 * @param entry what the history records
 */
export async function resetPassword(
  tx: Tx,
  author: Author,
  user: { id: number; email_key: string },
  passwordHash: string,
  entry: HistoryValues = { before: {}, after: { password: 'reset' } },
): Promise<void> {
  await storePassword(tx, author, user.id, passwordHash, entry);
  await endUserSessions(tx, user.id);
  await clearFailures(tx, user.email_key);
}

interface HistoryValues {
  before: object;
  after: object;
}

/**
 * Comes before sessions are ended: it locks the account, so a concurrent sign-in has either started its session by then or
 * sees the new password.
 */
async function storePassword(
  tx: Tx,
  author: Author,
  userId: number,
  password_hash: string,
  entry: HistoryValues,
): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ password_hash, version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await revokeMailedLinks(tx, userId);
  await recordChange(tx, author, { action: 'update', entity: 'user', entityId: userId, ...entry });
}

/**
 * Checks a new password and hashes it. Hashing is slow on purpose, so it comes before the transaction.
 *
 * @throws ValidationError
 */
export async function hashNewPassword(
  db: Db,
  password: string,
  account: { name: string; email: string },
): Promise<string> {
  await requireAcceptablePassword(db, password, account);
  return hashPassword(password);
}
