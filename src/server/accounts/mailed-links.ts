import type { Db, Tx } from '../db/schema.ts';
import { isWithinClientLimit, isWithinLimit } from './credentials/login-throttle.ts';
import { emailKey } from './queries.ts';

/** Links in 15 minutes, of both kinds together: to one account, and requested from one client. */
const LINKS_PER_ACCOUNT = 3;
const LINKS_PER_CLIENT = 10;

/** Counts a requested link, and answers whether it is within the limits. */
export async function countMailedLink(db: Db, email: string, address: string): Promise<boolean> {
  // The client first: once its limit is reached, it can't use up the links of one account after another.
  return (
    (await isWithinClientLimit(db, 'link from', address, LINKS_PER_CLIENT)) &&
    (await isWithinAccountLimit(db, email))
  );
}

/** {@link countMailedLink} for a link that an administrator sends. */
export const isWithinAccountLimit = (db: Db, email: string): Promise<boolean> =>
  isWithinLimit(db, `link for ${emailKey(email)}`, LINKS_PER_ACCOUNT);

/** Links to set a password and to verify the email end when either of the two changes. */
export async function revokeMailedLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
  await tx.deleteFrom('email_verifications').where('user_id', '=', userId).execute();
}
