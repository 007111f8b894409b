import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { findUser } from '../queries.ts';
import { hashToken, newToken } from '../sessions/sessions.ts';

/** Links with which the owner of an account sets a password: valid once, of which only the hash is stored. */

export const invalidLink = () => invalidField('token', 'This link is no longer valid.');

/** @returns the token of the link */
export async function createLink(tx: Tx, userId: number, lifetimeMs: number): Promise<string> {
  await tx.deleteFrom('password_resets').where('expires_at', '<', new Date().toISOString()).execute();
  const token = newToken();
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      expires_at: new Date(Date.now() + lifetimeMs).toISOString(),
    })
    .execute();
  return token;
}

/** The account of a link; undefined when the link is used or expired. */
export async function findLinkOwner(db: Db, token: string) {
  const link = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return link && findUser(db, link.user_id);
}

/** @throws ValidationError when the link is used */
export async function consumeLink(tx: Tx, token: string): Promise<void> {
  // Of several concurrent calls only one deletes the row.
  const { numDeletedRows } = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw invalidLink();
}
