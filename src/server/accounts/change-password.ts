import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { invalid } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { Actor } from './actor.ts';
import { hashPassword, passwordFault } from './passwords.ts';
import { endLinks } from './recovery.ts';
import { endOtherSessions } from './sessions.ts';

/** Sets the actor's own password and ends their other sessions. The caller has proved the old password. */
export async function changePassword(db: Db, actor: Actor, password: string): Promise<void> {
  const fault = await passwordFault(password, actor);
  if (fault !== undefined) throw invalid('password', `The password ${fault}`);
  const password_hash = await hashPassword(password);
  await transact(db, async (tx) => {
    await tx
      .updateTable('users')
      .set((eb) => ({ password_hash, version: eb('version', '+', 1) }))
      .where('id', '=', actor.id)
      .execute();
    await endOtherSessions(tx, actor);
    await endLinks(tx, actor.id);
    await recordChange(tx, actor, {
      action: 'update',
      entity: 'user',
      entityId: actor.id,
      before: {},
      after: { password: 'changed' },
    });
  });
}
