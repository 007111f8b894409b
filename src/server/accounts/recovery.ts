import { locked } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { invalid } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { Mailer } from '../mail.ts';
import { allowed, forgetFailures } from './attempts.ts';
import { hashPassword, passwordFault } from './passwords.ts';
import { emailKey, findUser, findUserByEmail } from './queries.ts';
import { endSessionsOf, hashOf, newToken } from './sessions.ts';

/** A link lasts this long. */
const LIFETIME = 30 * 60_000;
/** Links in 15 minutes for one account, and asked for from one address. */
const LINKS_PER_ACCOUNT = 3;
const LINKS_PER_ADDRESS = 10;

/**
 * Mails a recovery link to the account of an address, if there is one. Nothing of this is seen in the answer to the
 * call, neither in its text nor in its time: the caller does not wait.
 */
export async function mailRecoveryLink(
  db: Db,
  mailer: Mailer,
  email: string,
  address: string,
): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (user === undefined || user.locked_at !== null) return;
  // The address first: once it has had its share, it can't use up the links of one account after the other.
  const mayMail =
    (await allowed(db, `link from ${address}`, LINKS_PER_ADDRESS)) &&
    (await allowed(db, `link for ${emailKey(email)}`, LINKS_PER_ACCOUNT));
  if (!mayMail) return;
  const token = newToken();
  const isStillTheirs = await transact(db, async (tx) => {
    await tx.deleteFrom('password_resets').where('expires_at', '<', new Date().toISOString()).execute();
    // The address may have been changed, or the account locked, since it was looked up: no link then.
    const now = await locked(
      tx,
      tx.selectFrom('users').select(['email_key', 'locked_at']).where('id', '=', user.id),
    ).executeTakeFirst();
    if (now?.email_key !== user.email_key || now.locked_at !== null) return false;
    await tx
      .insertInto('password_resets')
      .values({
        token_hash: hashOf(token),
        user_id: user.id,
        expires_at: new Date(Date.now() + LIFETIME).toISOString(),
      })
      .execute();
    return true;
  });
  if (!isStillTheirs) return;
  const link = new URL(`/password-recovery?token=${token}`, mailer.publicUrl);
  await mailer.send({
    to: user.email,
    subject: 'Set a new password',
    text: `Somebody, probably you, asked to set a new password for your account in the Student Information Management System.\n\nOpen this link within 30 minutes to do so:\n${link}\n\nIf it was not you, there is nothing to do.\n`,
  });
}

/** Links that were mailed to an account before its password or address changed are worth nothing after. */
export async function endLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** Sets the password of the account that a link was mailed to, and ends all its sessions and other links. */
export async function resetPassword(db: Db, token: string, password: string): Promise<void> {
  const token_hash = hashOf(token);
  const spent = () => invalid('token', 'This link is no longer valid.');

  const link = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  const user = link === undefined ? undefined : await findUser(db, link.user_id);
  if (user === undefined) throw spent();
  const fault = await passwordFault(password, user);
  if (fault !== undefined) throw invalid('password', `The password ${fault}`);
  const password_hash = await hashPassword(password);

  await transact(db, async (tx) => {
    // Of several at the same time only one finds the link still there to be removed.
    const { numDeletedRows } = await tx
      .deleteFrom('password_resets')
      .where('token_hash', '=', token_hash)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw spent();
    await endLinks(tx, user.id);
    await tx
      .updateTable('users')
      .set((eb) => ({ password_hash, version: eb('version', '+', 1) }))
      .where('id', '=', user.id)
      .execute();
    await endSessionsOf(tx, user.id);
    await forgetFailures(tx, user.email_key);
    await recordChange(tx, user, {
      action: 'update',
      entity: 'user',
      entityId: user.id,
      before: {},
      after: { password: 'reset by mail' },
    });
  });
}
