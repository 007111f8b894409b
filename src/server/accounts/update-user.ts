import type { z } from 'zod';
import type { User, userUpdate } from '../../contract/accounts.ts';
import { holdTable } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid, TAKEN } from '../errors.ts';
import { changesNothing, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import type { Actor } from './actor.ts';
import { emailKey, findUser, isEmailTaken, isLastAdmin } from './queries.ts';
import { endLinks } from './recovery.ts';

/** A user changes only their own account; an admin also others'. */
export function requireMayEdit(actor: Actor, userId: number): void {
  if (actor.role !== 'admin' && actor.id !== userId) {
    throw new AppError('forbidden', 'Only an administrator can change the account of another person.');
  }
}

export const noSuchUser = () => new AppError('not-found', 'There is no such user.');

/** Changes name, e-mail address and role of an account. The caller has proved the actor's password. */
export async function updateUser(
  db: Db,
  actor: Actor,
  userId: number,
  input: Omit<z.infer<typeof userUpdate>, 'password' | 'id'>,
  ifMatch: string | undefined,
): Promise<{ user: User; version: number }> {
  return transact(db, async (tx) => {
    await holdTable(tx, 'users');
    const before = await findUser(tx, userId);
    if (before === undefined) throw noSuchUser();
    const { id, name, email, role } = before;
    requireVersion(ifMatch, versionPart.user(before.version), { id, name, email, role });
    if (input.role !== before.role) {
      if (actor.role !== 'admin') throw invalid('role', 'The role can be changed by an administrator only.');
      if (await isLastAdmin(tx, before))
        throw invalid('role', 'The role of the last administrator must stay admin.');
    }
    if (await isEmailTaken(tx, input.email, userId)) throw invalid('email', TAKEN('email'));
    if (changesNothing(actor, { name, email, role }, input)) {
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
    if (emailKey(input.email) !== before.email_key) await endLinks(tx, userId);
    await recordChange(tx, actor, {
      action: 'update',
      entity: 'user',
      entityId: userId,
      before: { id, name, email, role },
      after: user,
    });
    return { user, version };
  });
}
