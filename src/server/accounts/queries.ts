import { locked } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';

const PUBLIC = ['id', 'name', 'email', 'role'] as const;

/** E-mail addresses are compared without case. */
export const emailKey = (email: string) => email.toLowerCase();

export function listUsers(db: Db) {
  return db.selectFrom('users').select(PUBLIC).orderBy('id').execute();
}

export function findUser(db: Db, id: number) {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('users').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

/** Holds an account until the transaction ends: its password, its second factor and its sessions stay as they are. */
export function lockUser(tx: Tx, id: number) {
  const account = tx.selectFrom('users').select(['password_hash', 'locked_at']).where('id', '=', id);
  return locked(tx, account).executeTakeFirst();
}

/** Whether the address belongs to an account other than `exceptId`. */
export async function isEmailTaken(db: Db, email: string, exceptId?: number): Promise<boolean> {
  const owner = await findUserByEmail(db, email);
  return owner !== undefined && owner.id !== exceptId;
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Whether this is the only administrator who can sign in. What is done on the answer must hold the table: two
 * administrators could otherwise put each other out at the same moment.
 */
export async function isLastAdmin(
  tx: Tx,
  account: { id: number; role: string; locked_at: string | null },
): Promise<boolean> {
  if (account.role !== 'admin' || account.locked_at !== null) return false;
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('locked_at', 'is', null)
    .where('id', '!=', account.id)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
