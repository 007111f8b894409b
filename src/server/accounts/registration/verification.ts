import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import type { Deps } from '../../app-types.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import type { Mailer } from '../../mail.ts';
import type { Registration } from '../../settings/environment.ts';
import { verifyPassword } from '../credentials/hash.ts';
import { countSignIn } from '../credentials/login-throttle.ts';
import { countMailedLink, revokeMailedLinks } from '../mailed-links.ts';
import { findUser, findUserByEmail, lockUser } from '../queries.ts';
import { hashToken, newToken } from '../sessions/sessions.ts';

const LINK_LIFETIME_MS = 24 * 3_600_000;

/** Mails the link that verifies an email, if the account is pending for that. Runs after the call is answered, so it opens its own transaction. */
export async function mailVerificationLink(db: Db, mailer: Mailer, userId: number): Promise<void> {
  const created = await transact(db, (tx) => createVerificationToken(tx, userId));
  if (created === undefined) return;
  const link = new URL(`/verify-email#token=${created.token}`, mailer.publicUrl);
  await mailer.send({
    to: created.email,
    subject: 'Verify your email address',
    text: `Somebody, probably you, has registered this address with the Student Information Management System.\n\nOpen this link within 24 hours and enter the password that you chose, to verify the address and sign in:\n${link}\n\nIf it was not you, there is nothing to do.\n`,
  });
}

async function createVerificationToken(
  tx: Tx,
  userId: number,
): Promise<{ token: string; email: string } | undefined> {
  await tx.deleteFrom('email_verifications').where('expires_at', '<', new Date().toISOString()).execute();
  const account = await locked(
    tx,
    tx.selectFrom('users').select(['email', 'locked_at', 'waiting_for']).where('id', '=', userId),
  ).executeTakeFirst();
  if (account?.waiting_for !== 'verification' || account.locked_at !== null) return undefined;
  const token = newToken();
  await tx
    .insertInto('email_verifications')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      expires_at: new Date(Date.now() + LINK_LIFETIME_MS).toISOString(),
    })
    .execute();
  return { token, email: account.email };
}

/** Mails another link, if there is an account with this email that is pending for one. Runs after the call is answered. */
export async function resendVerificationLink(
  db: Db,
  mailer: Mailer,
  email: string,
  address: string,
): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (user?.waiting_for !== 'verification') return;
  if (await countMailedLink(db, email, address)) await mailVerificationLink(db, mailer, user.id);
}

const invalidLink = () => invalidField('token', 'This link is no longer valid.');

/**
 * Checks a mailed link and the password of its account. The link alone is not enough: a person who registers the email of
 * somebody else could wait for them to open it.
 *
 * @returns the account, and the attempt that succeeds with {@link verifyEmail}
 * @throws ValidationError for a link that is used or expired, AppError wrong-password or too-many-attempts
 */
export async function checkVerification(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  { token, password, address }: { token: string; password: string; address: string },
) {
  const link = await db.write
    .selectFrom('email_verifications')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  const user = link === undefined ? undefined : await findUser(db.write, link.user_id);
  if (user === undefined) throw invalidLink();

  const attempt = await countSignIn(db.write, user.email, address, settings.loginLimit);
  const isRight = await verifyPassword(user, password);
  if (!isRight || user.locked_at !== null) throw new AppError('wrong-password', 'Incorrect password entered');
  return { user, attempt };
}

/** Uses up a link and verifies the email of its account. @throws ValidationError when the link is used */
export async function verifyEmail(
  tx: Tx,
  registration: Registration,
  user: { id: number; name: string },
  token: string,
): Promise<PendingReason | null> {
  // Of several concurrent calls only one deletes the row.
  const { numDeletedRows } = await tx
    .deleteFrom('email_verifications')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw invalidLink();
  return markVerified(tx, registration, user);
}

/**
 * Ends the wait for verification, if that is what the account is pending for.
 *
 * @returns what it is pending for now
 */
export async function markVerified(
  tx: Tx,
  registration: Registration,
  user: { id: number; name: string },
): Promise<PendingReason | null> {
  const account = await lockUser(tx, user.id);
  if (account?.waiting_for !== 'verification') return account?.waiting_for ?? null;
  const waiting_for = afterVerification(registration);
  await tx.updateTable('users').set({ waiting_for }).where('id', '=', user.id).execute();
  await revokeMailedLinks(tx, user.id);
  await recordChange(tx, user, {
    action: 'update',
    entity: 'user',
    entityId: user.id,
    before: { waiting_for: account.waiting_for },
    after: { waiting_for },
  });
  return waiting_for;
}

/** Why a verified account is still pending: the setting may have changed since it was registered. */
export const afterVerification = ({ kind }: Registration): PendingReason | null =>
  kind === 'approval' ? 'approval' : null;
