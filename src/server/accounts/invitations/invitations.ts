import type { Role, User } from '../../../contract/accounts/accounts.ts';
import { lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import type { Mailer } from '../../mail.ts';
import { DUMMY_HASH } from '../credentials/hash.ts';
import { resetPassword } from '../credentials/set-password.ts';
import { isWithinAccountLimit, revokeMailedLinks } from '../mailed-links.ts';
import { consumeLink, createLink, findLinkOwner, invalidLink } from '../passwords/password-links.ts';
import { requireUser } from '../queries.ts';
import { type Origin, type SessionLimits, startSession } from '../sessions/sessions.ts';
import { insertUser } from '../users/create-user.ts';

const DAY_MS = 24 * 3_600_000;
const LINK_LIFETIME_MS = 7 * DAY_MS;
/** A mail server that does not answer must not keep the administrator waiting. */
const MAIL_TIMEOUT_MS = 10_000;

/** An account without a password, and the token of the link with which its owner chooses one. */
interface Invitation {
  user: User;
  token: string;
}

/**
 * Creates the account of an invited person, regardless of the registration setting. The caller has locked the `users` table.
 *
 * @throws ValidationError when the email is taken
 */
export async function inviteUser(
  tx: Tx,
  author: Author,
  account: { name: string; email: string; role: Role },
): Promise<Invitation> {
  const user = await insertUser(tx, author, {
    ...account,
    password_hash: DUMMY_HASH,
    waiting_for: 'invitation',
  });
  return { user, token: await createLink(tx, user.id, LINK_LIFETIME_MS) };
}

/**
 * Replaces the link of an invitation, which may have expired or been lost. The caller has locked the `users` table.
 *
 * @throws AppError not-found, or conflict for an account that is locked or has a password already
 */
export async function renewInvitation(tx: Tx, author: Author, userId: number): Promise<Invitation> {
  const user = await requireUser(tx, userId);
  if (user.waiting_for !== 'invitation') throw new AppError('conflict', 'This user has no open invitation.');
  if (user.locked_at !== null) throw new AppError('conflict', 'The account is locked. Unlock it first.');
  await revokeMailedLinks(tx, userId);
  const token = await createLink(tx, userId, LINK_LIFETIME_MS);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: {},
    after: { invitation: 'new link' },
  });
  return { user, token };
}

/**
 * Mails an invitation.
 *
 * @returns whether the mail server took it; without it the administrator hands the link over
 */
export async function mailInvitation(
  db: Db,
  mailer: Mailer,
  { user, token }: Invitation,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  if (!(await isWithinAccountLimit(db, user.email))) return false;
  const sent = mailer.send({
    to: user.email,
    subject: 'Your account in the Student Information Management System',
    text: `${user.name}, an administrator has made an account for you in the Student Information Management System. You sign in with the address ${user.email}.\n\nOpen this link within 7 days to choose a password:\n${new URL(invitationPath(token), mailer.publicUrl)}\n\nIf you did not expect it, there is nothing to do.\n`,
  });
  const timer = AbortSignal.timeout(MAIL_TIMEOUT_MS);
  const timeout = new Promise<never>((_, reject) => {
    timer.addEventListener('abort', () => reject(timer.reason));
  });
  try {
    await Promise.race([sent, timeout]);
    return true;
  } catch (error) {
    sent.catch(() => undefined);
    onFailure(error);
    return false;
  }
}

/** The page on which the invited person chooses a password. */
export const invitationPath = (token: string) => `/invitation#token=${token}`;

/** The account that a link invites. @throws ValidationError when the link is used, withdrawn or expired */
export async function requireInvitation(db: Db, token: string) {
  const user = await findLinkOwner(db, token);
  if (user?.waiting_for !== 'invitation') throw invalidLink();
  return user;
}

/**
 * Uses up the link: sets the password and starts the first session.
 *
 * @throws ValidationError when the link has been used or withdrawn since it was checked
 */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  userId: number,
  passwordHash: string,
  session: { limits: SessionLimits; origin: Origin },
): Promise<{ user: User; token: string }> {
  await lockTable(tx, 'users');
  await consumeLink(tx, token);
  const user = await requireUser(tx, userId);
  const { waiting_for } = user;
  if (waiting_for !== 'invitation') throw invalidLink();
  await tx.updateTable('users').set({ waiting_for: null }).where('id', '=', userId).execute();
  await resetPassword(tx, user, user, passwordHash, {
    before: { waiting_for },
    after: { waiting_for: null, password: 'set by link' },
  });
  return { user, token: await startSession(tx, userId, session.limits, session.origin) };
}
