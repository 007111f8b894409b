import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { User, userUpdate } from '../../../contract/accounts/accounts.ts';
import type { Tx, UsersTable } from '../../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../../http/change-record.ts';
import { versionPart } from '../../http/etags.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { revokeMailedLinks } from '../mailed-links.ts';
import { emailKey, isEmailTaken, isLastAdmin, requireUser } from '../queries.ts';

const presentUser = ({ id, name, email, role }: User): User => ({ id, name, email, role });
const USER: RecordKind<Selectable<UsersTable>> = {
  entity: 'user',
  versionPart: versionPart.user,
  present: presentUser,
};

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
  await requireCurrent(tx, USER, { id: userId, row: before }, ifMatch);
  if (input.role !== before.role) {
    if (author.role !== 'admin')
      throw invalidField('role', 'The role can be changed by an administrator only.');
    if (await isLastAdmin(tx, before))
      throw invalidField('role', 'The role of the last administrator must stay admin.');
  }
  if (await isEmailTaken(tx, input.email, userId)) throw invalidField('email', alreadyTaken('email'));
  const columns = {
    name: input.name,
    email: input.email,
    role: input.role,
    email_key: emailKey(input.email),
  };
  const store = async (version: number) => {
    const row = await tx
      .updateTable('users')
      .set({ ...columns, version })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.email_key !== before.email_key) await revokeMailedLinks(tx, userId);
    return row;
  };
  const row = await changeRecord(tx, author, USER, { id: userId, row: before, columns, store });
  return { user: presentUser(row), version: row.version };
}
