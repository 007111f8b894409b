import { locked } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';

const PUBLIC = ['id', 'name', 'email', 'role'] as const;

/** Emails are compared without case. */
export const emailKey = (email: string) => email.toLowerCase();

/** Pending accounts are listed for administrators only. */
export function listUsers(db: Db, { withPending }: { withPending: boolean }) {
  return db
    .selectFrom('users')
    .select(PUBLIC)
    .$if(!withPending, (query) => query.where('waiting_for', 'is', null))
    .orderBy('id')
    .execute();
}

export function findUser(db: Db, id: number) {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @throws AppError not-found */
export async function requireUser(db: Db, id: number) {
  const user = await findUser(db, id);
  if (user === undefined) throw noSuchUser();
  return user;
}

export const noSuchUser = () => new AppError('not-found', 'There is no such user.');

export function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('users').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

/** Locks an account until the transaction ends: until then its password, two-factor authentication and sessions can't change. */
export function lockUser(tx: Tx, id: number) {
  const account = tx
    .selectFrom('users')
    .select(['password_hash', 'locked_at', 'waiting_for'])
    .where('id', '=', id);
  return locked(tx, account).executeTakeFirst();
}

/** Whether an account other than `exceptId` has this email. */
export async function isEmailTaken(db: Db, email: string, exceptId?: number): Promise<boolean> {
  const owner = await findUserByEmail(db, email);
  return owner !== undefined && owner.id !== exceptId;
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Whether this is the only administrator who can sign in. The caller has locked the `users` table: otherwise two
 * administrators could lock or demote each other at the same moment.
 */
export async function isLastAdmin(
  tx: Tx,
  account: { id: number; role: string; locked_at: string | null; waiting_for: string | null },
): Promise<boolean> {
  if (account.role !== 'admin' || account.locked_at !== null || account.waiting_for !== null) return false;
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('locked_at', 'is', null)
    .where('waiting_for', 'is', null)
    .where('id', '!=', account.id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/** Path parameters of a call about one account. */

/** The two-factor authentication of a person; none while it is being set up. */
export const findConfirmedFactor = (db: Db, userId: number) =>
  db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null);

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await findConfirmedFactor(db, userId).executeTakeFirst()) !== undefined;
}
