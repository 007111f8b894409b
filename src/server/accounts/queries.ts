import type { Db } from '../db/schema.ts';

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

/** Whether the address belongs to an account other than `exceptId`. */
export async function isEmailTaken(db: Db, email: string, exceptId?: number): Promise<boolean> {
  const owner = await findUserByEmail(db, email);
  return owner !== undefined && owner.id !== exceptId;
}

export async function countUsers(db: Db, role?: 'admin'): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll().as('count'))
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? 'admin'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
