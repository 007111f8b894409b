import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import type { Mailer } from '../../mail.ts';
import type { Registration } from '../../settings/environment.ts';
import { mayMailLink } from '../mailed-links.ts';
import { afterVerification } from '../registration/verification.ts';
import { hashToken, newToken } from '../sessions/sessions.ts';
import { findUser, findUserByEmail, lockUser } from '../users/queries.ts';
import { resetPassword } from './set-password.ts';

const LINK_LIFETIME_MS = 30 * 60_000;

/**
 * Mails a link to reset the password, if an account has this email. Runs after the call is answered, so that neither the
 * content nor the duration of the reply reveals whether there is one; it therefore opens its own transaction.
 */
export async function mailResetLink(db: Db, mailer: Mailer, email: string, address: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (user === undefined || user.locked_at !== null) return;
  if (!(await mayMailLink(db, email, address))) return;
  const token = await transact(db, (tx) => createResetToken(tx, user));
  if (token === undefined) return;
  const link = new URL(`/password-recovery?token=${token}`, mailer.publicUrl);
  await mailer.send({
    to: user.email,
    subject: 'Set a new password',
    text: `Somebody, probably you, asked to set a new password for your account in the Student Information Management System.\n\nOpen this link within 30 minutes to do so:\n${link}\n\nIf it was not you, there is nothing to do.\n`,
  });
}

/** Undefined when the account was locked or its email changed since it was found. */
async function createResetToken(
  tx: Tx,
  user: { id: number; email_key: string },
): Promise<string | undefined> {
  await tx.deleteFrom('password_resets').where('expires_at', '<', new Date().toISOString()).execute();
  const current = await locked(
    tx,
    tx.selectFrom('users').select(['email_key', 'locked_at']).where('id', '=', user.id),
  ).executeTakeFirst();
  if (current?.email_key !== user.email_key || current.locked_at !== null) return undefined;
  const token = newToken();
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      expires_at: new Date(Date.now() + LINK_LIFETIME_MS).toISOString(),
    })
    .execute();
  return token;
}

const invalidLink = () => invalidField('token', 'This link is no longer valid.');

/** The account that a link was mailed to. @throws ValidationError when the link is used or expired */
export async function requireResetLink(db: Db, token: string) {
  const link = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  const user = link === undefined ? undefined : await findUser(db, link.user_id);
  if (user === undefined) throw invalidLink();
  return user;
}

/**
 * Uses up a link and sets the password. The link proves access to the mailbox, so it verifies the email too; a person who
 * registered somebody else's email does not know the new password.
 *
 * @throws ValidationError when the link is used
 */
export async function resetPasswordByLink(
  tx: Tx,
  registration: Registration,
  { token, user }: { token: string; user: { id: number; name: string; email_key: string } },
  passwordHash: string,
): Promise<void> {
  // Of several concurrent calls only one deletes the row.
  const { numDeletedRows } = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw invalidLink();
  const account = await lockUser(tx, user.id);
  if (account === undefined) throw invalidLink();
  const isVerification = account.waiting_for === 'verification';
  const before = isVerification ? { waiting_for: account.waiting_for } : {};
  const after = isVerification ? { waiting_for: afterVerification(registration) } : {};
  if (isVerification) await tx.updateTable('users').set(after).where('id', '=', user.id).execute();
  await resetPassword(tx, user, user, passwordHash, {
    before,
    after: { password: 'reset by mail', ...after },
  });
}
