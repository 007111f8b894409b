import type { z } from 'zod';
import type { User, userUpdate } from '../../../contract/accounts/accounts.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../../errors.ts';
import { isNoOp, recordChange } from '../../history/record-change.ts';
import type { Actor } from '../../http/actor.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { revokeMailedLinks } from '../mailed-links.ts';
import { emailKey, isEmailTaken, isLastAdmin, requireUser } from '../queries.ts';

/** People change their own account, administrators any. @throws AppError forbidden */
export function requireMayEdit(actor: Actor, userId: number): void {
  if (actor.role !== 'admin' && actor.id !== userId) {
    throw new AppError('forbidden', 'Only an administrator can change the account of another person.');
  }
}

/**
 * Changes name, email and role of an account. The caller has confirmed the author's password and locked the `users` table.
 *
 * @throws AppError not-found or stale, ValidationError
 */
export async function updateUser(
  tx: Tx,
  author: VerifiedActor,
  userId: number,
  input: Omit<z.infer<typeof userUpdate>, 'password' | 'id'>,
  ifMatch: string | undefined,
): Promise<{ user: User; version: number }> {
  const before = await requireUser(tx, userId);
  const { id, name, email, role } = before;
  await requireVersion(tx, ifMatch, {
    part: versionPart.user(before.version),
    current: { id, name, email, role },
    entities: ['user'],
    id: id,
  });
  if (input.role !== role) {
    if (author.role !== 'admin')
      throw invalidField('role', 'The role can be changed by an administrator only.');
    if (await isLastAdmin(tx, before))
      throw invalidField('role', 'The role of the last administrator must stay admin.');
  }
  if (await isEmailTaken(tx, input.email, userId)) throw invalidField('email', alreadyTaken('email'));
  if (isNoOp(author, { name, email, role }, input)) {
    return { user: { id, name, email, role }, version: before.version };
  }
  const version = before.version + 1;
  const user = await tx
    .updateTable('users')
    .set({
      name: input.name,
      email: input.email,
      email_key: emailKey(input.email),
      role: input.role,
      version,
    })
    .where('id', '=', userId)
    .returning(['id', 'name', 'email', 'role'])
    .executeTakeFirstOrThrow();
  if (emailKey(input.email) !== before.email_key) await revokeMailedLinks(tx, userId);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: { id, name, email, role },
    after: user,
  });
  return { user, version };
}
