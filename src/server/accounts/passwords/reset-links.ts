import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import type { Mailer } from '../../mail.ts';
import type { Registration } from '../../settings/environment.ts';
import { resetPassword } from '../credentials/set-password.ts';
import { countMailedLink } from '../mailed-links.ts';
import { findUserByEmail, lockUser, requireUser } from '../queries.ts';
import { afterVerification } from '../registration/verification.ts';
import { consumeLink, createLink, findLinkOwner, invalidLink } from './password-links.ts';

const LINK_LIFETIME_MS = 30 * 60_000;
/** Lifetime of a link that an administrator hands over. */
const HANDED_OVER_LIFETIME_MS = 24 * 3_600_000;

/**
 * Mails a link to reset the password, if an account has this email. Runs after the call is answered, so that neither the
 * content nor the duration of the reply reveals whether there is one; it therefore opens its own transaction.
 */
export async function mailResetLink(db: Db, mailer: Mailer, email: string, address: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  // An invitation ends with its own link, not with one that its owner asks for.
  if (user === undefined || user.locked_at !== null || user.waiting_for === 'invitation') return;
  if (!(await countMailedLink(db, email, address))) return;
  const token = await transact(db, (tx) => createResetToken(tx, user));
  if (token === undefined) return;
  const link = new URL(`/password-recovery#token=${token}`, mailer.publicUrl);
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
  const current = await locked(
    tx,
    tx.selectFrom('users').select(['email_key', 'locked_at']).where('id', '=', user.id),
  ).executeTakeFirst();
  if (current?.email_key !== user.email_key || current.locked_at !== null) return undefined;
  return createLink(tx, user.id, LINK_LIFETIME_MS);
}

/** The page of a link that an administrator hands over. */
export const adminLinkPath = (token: string) => `/set-password#token=${token}`;

/**
 * Makes a link for the owner of an account, which the administrator hands over. Nothing else changes until it is used. The
 * caller has locked the `users` table.
 *
 * @returns the token
 * @throws AppError not-found, or conflict for an account that can't sign in
 */
export async function createHandedOverLink(tx: Tx, author: Author, userId: number): Promise<string> {
  const { locked_at, waiting_for } = await requireUser(tx, userId);
  if (locked_at !== null) throw new AppError('conflict', 'The account is locked. Unlock it first.');
  if (waiting_for !== null) throw new AppError('conflict', 'The account is not in use yet.');
  const token = await createLink(tx, userId, HANDED_OVER_LIFETIME_MS);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: {},
    after: { password_link: 'made' },
  });
  return token;
}

/** The account of a link to reset its password. @throws ValidationError when the link is used or expired */
export async function requireResetLink(db: Db, token: string) {
  const user = await findLinkOwner(db, token);
  if (user === undefined || user.waiting_for === 'invitation') throw invalidLink();
  return user;
}

/**
 * Uses up a link and sets the password. A mailed link proves access to the mailbox, so it verifies the email too; a person who
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
  await consumeLink(tx, token);
  const account = await lockUser(tx, user.id);
  if (account === undefined) throw invalidLink();
  const isVerification = account.waiting_for === 'verification';
  const before = isVerification ? { waiting_for: account.waiting_for } : {};
  const after = isVerification ? { waiting_for: afterVerification(registration) } : {};
  if (isVerification) await tx.updateTable('users').set(after).where('id', '=', user.id).execute();
  await resetPassword(tx, user, user, passwordHash, {
    before,
    after: { password: 'reset by link', ...after },
  });
}
