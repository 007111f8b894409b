import {
  type PendingReason,
  type Role,
  registerInput,
  type User,
} from '../../../contract/accounts/accounts.ts';
import { lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { alreadyTaken, invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { parseInput } from '../../http/validation.ts';
import { hashNewPassword } from '../credentials/set-password.ts';
import { emailKey, isEmailTaken } from '../queries.ts';

interface NewUser {
  name: string;
  email: string;
  password_hash: string;
  role: Role;
  /** The step before the first sign-in. */
  waiting_for?: PendingReason | null;
}

/**
 * Inserts an account. The caller has locked the `users` table.
 *
 * @param author undefined for a person who registers: the entry in the history is their own
 * @throws ValidationError when the email is taken
 */
export async function insertUser(
  tx: Tx,
  author: Author | undefined,
  { name, email, password_hash, role, waiting_for = null }: NewUser,
): Promise<User> {
  if (await isEmailTaken(tx, email)) throw invalidField('email', alreadyTaken('email'));
  const user = await tx
    .insertInto('users')
    .values({
      name,
      email,
      email_key: emailKey(email),
      role,
      password_hash,
      version: 1,
      created_at: new Date().toISOString(),
      waiting_for,
    })
    .returning(['id', 'name', 'email', 'role'])
    .executeTakeFirstOrThrow();
  const after = waiting_for === null ? user : { ...user, waiting_for };
  await recordChange(tx, author ?? user, { action: 'create', entity: 'user', entityId: user.id, after });
  return user;
}

/** Creates an account on the command line, regardless of the registration setting. */
export async function createUser(
  tx: Tx,
  author: Author,
  account: { name: string; email: string; password_hash: string; role: Role },
): Promise<User> {
  await lockTable(tx, 'users');
  return insertUser(tx, author, account);
}

/**
 * Validates the data of an account given on the command line and hashes the password, before the transaction.
 *
 * @throws ValidationError
 */
export async function prepareUser(
  db: Db,
  account: { name: string; email: string; password: string },
): Promise<{ name: string; email: string; password_hash: string }> {
  const input = parseInput(registerInput, { ...account, password_confirmation: account.password });
  const { name, email, password } = input;
  return { name, email, password_hash: await hashNewPassword(db, password, input) };
}
