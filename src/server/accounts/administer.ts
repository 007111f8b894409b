import { type Role, registerInput, type User } from '../../contract/accounts.ts';
import { holdTable } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { invalid, TAKEN } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { checked } from '../http/validation.ts';
import { forgetFailures } from './attempts.ts';
import { hashPassword, passwordFault } from './passwords.ts';
import { emailKey, findUser, isEmailTaken, isLastAdmin } from './queries.ts';
import { endLinks } from './recovery.ts';
import { endSessionsOf } from './sessions.ts';
import { noSuchUser } from './update-user.ts';

/** What is done to accounts by whoever has the database in hand, and needs nobody's password. */

/** Makes an account, whatever the setting of registration. */
export async function createAccount(
  db: Db,
  author: Author,
  account: { name: string; email: string; password: string; role: Role },
): Promise<User> {
  const { role } = account;
  const input = checked(registerInput, { ...account, password_confirmation: account.password });
  await requireFit(input.password, input);
  const password_hash = await hashPassword(input.password);
  return transact(db, async (tx) => {
    await holdTable(tx, 'users');
    if (await isEmailTaken(tx, input.email)) throw invalid('email', TAKEN('email'));
    const user = await tx
      .insertInto('users')
      .values({
        name: input.name,
        email: input.email,
        email_key: emailKey(input.email),
        role,
        password_hash,
        version: 1,
        created_at: new Date().toISOString(),
      })
      .returning(['id', 'name', 'email', 'role'])
      .executeTakeFirstOrThrow();
    await recordChange(tx, author, { action: 'create', entity: 'user', entityId: user.id, after: user });
    return user;
  });
}

/** @throws InvalidFields when nobody would be left to administer */
export async function setRole(db: Db, author: Author, userId: number, role: Role): Promise<void> {
  await transact(db, async (tx) => {
    await holdTable(tx, 'users');
    const account = await findUser(tx, userId);
    if (account === undefined) throw noSuchUser();
    if (account.role === role) return;
    if (await isLastAdmin(tx, account))
      throw invalid('role', 'The role of the last administrator must stay admin.');
    await tx
      .updateTable('users')
      .set({ role, version: account.version + 1 })
      .where('id', '=', userId)
      .execute();
    await recordUpdate(tx, author, userId, { role: account.role }, { role });
  });
}

/** Sets a password in place of one that was forgotten or may be known to others: all that was begun with the old one ends. */
export async function setPassword(db: Db, author: Author, userId: number, password: string): Promise<void> {
  const account = await findUser(db, userId);
  if (account === undefined) throw noSuchUser();
  checked(registerInput, { ...account, password, password_confirmation: password });
  await requireFit(password, account);
  const password_hash = await hashPassword(password);
  await transact(db, async (tx) => {
    await tx
      .updateTable('users')
      .set((eb) => ({ password_hash, version: eb('version', '+', 1) }))
      .where('id', '=', userId)
      .execute();
    await endSessionsOf(tx, userId);
    await endLinks(tx, userId);
    await forgetFailures(tx, account.email_key);
    await recordUpdate(tx, author, userId, {}, { password: 'reset' });
  });
}

/** Signs somebody out everywhere. */
export async function endAllSessions(db: Db, author: Author, userId: number): Promise<void> {
  await transact(db, async (tx) => {
    await endSessionsOf(tx, userId);
    await endLinks(tx, userId);
    await recordUpdate(tx, author, userId, {}, { sessions_ended: 'all' });
  });
}

const recordUpdate = (tx: Tx, author: Author, entityId: number, before: object, after: object) =>
  recordChange(tx, author, { action: 'update', entity: 'user', entityId, before, after });

async function requireFit(password: string, account: { name: string; email: string }): Promise<void> {
  const fault = await passwordFault(password, account);
  if (fault !== undefined) throw invalid('password', `The password ${fault}`);
}
