import { holdKey } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError } from '../errors.ts';

/** Failed attempts are counted for this long from the first. */
const WINDOW = 15 * 60_000;
/** An address may fail this many times as often as one account from it. */
const ADDRESS_FACTOR = 10;

export interface Attempt {
  /** Takes the attempt back: it was right. Also forgets the account's earlier failures from this address. */
  succeeded(): Promise<void>;
  /** Takes the attempt back, and forgets nothing: it was right as far as it went, and more is asked for. */
  withdrawn(): Promise<void>;
}

/**
 * Counts a sign-in as failed before the password is looked at, so that many at once can't slip past the limit;
 * {@link Attempt.succeeded} takes it back. Limited per account and address, and per address over all accounts: nobody
 * can lock another one out from elsewhere. More sign-ins to one account at the same moment than the limit allows fails
 * are refused too, right or not.
 *
 * @throws AppError too-many-attempts, with the seconds until the window ends
 */
export async function countAttempt(
  db: Db,
  emailKey: string,
  address: string,
  limit: number,
): Promise<Attempt> {
  const pair = `${accountPrefix(emailKey)}${address}`;
  const whole = `address ${address}`;
  const refusedUntil = await transact(db, async (tx) => {
    const now = Date.now();
    await tx.deleteFrom('attempts').where('window_ends_at', '<=', new Date(now).toISOString()).execute();
    await holdKey(tx, whole);
    const full = (await fullUntil(tx, pair, limit)) ?? (await fullUntil(tx, whole, limit * ADDRESS_FACTOR));
    if (full !== undefined) return full;
    await count(tx, pair, now);
    await count(tx, whole, now);
    return undefined;
  });
  if (refusedUntil !== undefined) throw tooMany(refusedUntil);
  return {
    succeeded: () =>
      transact(db, async (tx) => {
        await tx.deleteFrom('attempts').where('key', '=', pair).execute();
        await tx
          .updateTable('attempts')
          .set((eb) => ({ failures: eb('failures', '-', 1) }))
          .where('key', '=', whole)
          .execute();
      }),
    withdrawn: async () => {
      await db
        .updateTable('attempts')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('key', 'in', [pair, whole])
        .execute();
    },
  };
}

const accountPrefix = (emailKey: string) => `account ${emailKey} from `;

/** Forgets an account's failures, from wherever: its owner has proved who they are in another way. */
export async function forgetFailures(tx: Tx, emailKey: string): Promise<void> {
  const prefix = accountPrefix(emailKey);
  await tx
    .deleteFrom('attempts')
    .where('key', '>=', prefix)
    .where('key', '<', `${prefix}\u{10ffff}`)
    .execute();
}

const tooMany = (until: string) =>
  new AppError('too-many-attempts', 'Too many failed attempts. Try again later.', {
    retryAfter: Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 1000)),
  });

const takenKey = (address: string) => `taken ${address}`;

/**
 * Refuses every registration from an address that has been told too often that an account exists, for one that is let
 * through would tell as well. Registrations that succeed are not counted: a whole faculty can register from one address.
 *
 * @throws AppError too-many-attempts
 */
export async function requireMayRegister(db: Db, address: string, limit: number): Promise<void> {
  const until = await fullUntil(db, takenKey(address), limit * ADDRESS_FACTOR);
  if (until !== undefined && Date.parse(until) > Date.now()) throw tooMany(until);
}

/** Counts that an address is about to be told that an account exists, and refuses to tell when that is too often. */
export async function countTaken(db: Db, address: string, limit: number): Promise<void> {
  const mayTell = await allowed(db, takenKey(address), limit * ADDRESS_FACTOR);
  if (!mayTell) throw tooMany(new Date(Date.now() + WINDOW).toISOString());
}

async function fullUntil(db: Db, key: string, limit: number): Promise<string | undefined> {
  const row = await db.selectFrom('attempts').selectAll().where('key', '=', key).executeTakeFirst();
  return row !== undefined && row.failures >= limit ? row.window_ends_at : undefined;
}

async function count(tx: Tx, key: string, now: number): Promise<void> {
  await tx
    .insertInto('attempts')
    .values({ key, failures: 1, window_ends_at: new Date(now + WINDOW).toISOString() })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ failures: eb('attempts.failures', '+', 1) })),
    )
    .execute();
}

/** Counts one more under a key, and says whether it was within the limit of the last 15 minutes. */
export async function allowed(db: Db, key: string, limit: number): Promise<boolean> {
  return transact(db, async (tx) => {
    const now = Date.now();
    await tx.deleteFrom('attempts').where('window_ends_at', '<=', new Date(now).toISOString()).execute();
    await holdKey(tx, key);
    if ((await fullUntil(tx, key, limit)) !== undefined) return false;
    await count(tx, key, now);
    return true;
  });
}
