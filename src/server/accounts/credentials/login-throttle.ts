import type { ExpressionBuilder } from 'kysely';
import { advisoryLock } from '../../db/dialect/locks.ts';
import type { Db, Schema, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import type { Actor } from '../../http/actor.ts';
import { getNetworks } from '../../http/client-networks.ts';
import { emailKey } from '../queries.ts';
import { isKnownNetwork } from '../sessions/known-networks.ts';

/** Time from the first counted attempt. */
const WINDOW_MS = 15 * 60_000;
/** Greatest difference between the clocks of two processes on one database. */
const CLOCK_SKEW_MS = 60_000;
/** The limit of a client over all accounts, as a multiple of that for one account. */
const CLIENT_FACTOR = 10;

/** The greatest count of a key within its window. */
interface Limit {
  key: string;
  max: number;
}

const getKeys = (limits: readonly Limit[]) => limits.map(({ key }) => key);

/** The limits of a client: one for each network that its address belongs to, the narrowest first. */
const clientLimits = (what: string, address: string, max: number): Limit[] =>
  getNetworks(address).map(({ name, factor }) => ({ key: `${what} ${name}`, max: max * factor }));

export interface Attempt {
  /** Undoes the count, and clears the account's earlier failures from the same network. */
  succeeded(): Promise<void>;
  /** Undoes the count but keeps earlier failures: the password is right, and a code is still missing. */
  undo(): Promise<void>;
}

/**
 * Counts a sign-in as failed before its password is checked, so that concurrent ones can't exceed the limit;
 * {@link Attempt.succeeded} undoes it. Limited per account and client, and per client over all accounts: a user cannot be
 * locked out from elsewhere. An account that has signed in from the client's network recently keeps its own limit
 * when that of the network is reached. More concurrent sign-ins to one account than the limit are refused, even with the
 * right password.
 *
 * Counts have to be stored although the call may be refused, so the functions of this file open their own transactions.
 *
 * @throws AppError too-many-attempts, with the seconds until the window ends
 */
export function countSignIn(db: Db, email: string, address: string, limit: number): Promise<Attempt> {
  const key = emailKey(email);
  return countAttempt(db, {
    account: clientLimits(`${accountPrefix(key)}from`, address, limit),
    client: clientLimits('address', address, limit * CLIENT_FACTOR),
    isKnownClient: (tx) => isKnownNetwork(tx, key, address),
  });
}

/**
 * Counts in the same way when a signed-in person confirms their password or sets up two-factor authentication, but only per
 * account and session: failures of others in the same network don't matter.
 */
export function countConfirmation(
  db: Db,
  { email, tokenHash }: Pick<Actor, 'email' | 'tokenHash'>,
  limit: number,
): Promise<Attempt> {
  const key = `${accountPrefix(emailKey(email))}in session ${tokenHash}`;
  return countAttempt(db, { account: [{ key, max: limit }] });
}

interface AttemptLimits {
  account: readonly Limit[];
  /** Shared by all accounts. */
  client?: readonly Limit[];
  /** Whether sign-ins to the account are allowed although the limits of the client are reached. */
  isKnownClient?: (tx: Tx) => Promise<boolean>;
}

async function countAttempt(
  db: Db,
  { account, client = [], isKnownClient }: AttemptLimits,
): Promise<Attempt> {
  const limits = [...account, ...client];
  const outcome = await changeCounts(db, limits, async (tx) => {
    const blockedUntil = await findBlock(tx, account);
    if (blockedUntil !== undefined) return { blockedUntil };
    const clientBlock = await findBlock(tx, client);
    if (clientBlock !== undefined && !(await isKnownClient?.(tx))) return { blockedUntil: clientBlock };
    // A blocked client is not counted further: undoing the count would allow another attempt to somebody else.
    const counted = [...getKeys(account), ...(clientBlock === undefined ? getKeys(client) : [])];
    await increment(tx, counted);
    return { counted };
  });
  if (outcome.blockedUntil !== undefined) throw tooMany(outcome.blockedUntil);
  const { counted } = outcome;
  return {
    succeeded: () =>
      changeCounts(db, limits, async (tx) => {
        await undoCount(tx, counted);
        await tx
          .deleteFrom('attempts')
          .where('key', 'in', getKeys(account.slice(0, 1)))
          .execute();
      }),
    undo: () => changeCounts(db, limits, (tx) => undoCount(tx, counted)),
  };
}

/** The widest key is shared by all that share a count, so changes of these run one after the other. */
const changeCounts = <Result>(
  db: Db,
  limits: readonly Limit[],
  act: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  transact(db, async (tx) => {
    await advisoryLock(tx, limits.at(-1)?.key ?? '');
    return act(tx);
  });

async function undoCount(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute();
}

const accountPrefix = (emailKey: string) => `account ${emailKey} `;

/** Clears an account's failures from all clients. */
export async function clearFailures(tx: Tx, emailKey: string): Promise<void> {
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

const emailTakenLimits = (address: string, limit: number) =>
  clientLimits('taken', address, limit * CLIENT_FACTOR);

/**
 * Refuses all registrations of a client that has learned too often that an email is taken: an accepted one would reveal that it
 * is not. Successful registrations are not counted, since a whole faculty may register from one address.
 *
 * @throws AppError too-many-attempts
 */
export async function requireRegistrationAllowed(db: Db, address: string, limit: number): Promise<void> {
  const until = await findBlock(db, emailTakenLimits(address, limit));
  if (until !== undefined) throw tooMany(until);
}

/** Counts that a client is about to learn that an email is taken. @throws AppError too-many-attempts */
export async function countEmailTaken(db: Db, address: string, limit: number): Promise<void> {
  const until = await countUse(db, emailTakenLimits(address, limit));
  if (until !== undefined) throw tooMany(until);
}

/**
 * Counts the registration of a pending account. Unlike others it causes work for somebody else: a mail to an address that need
 * not be the client's, or a decision of an administrator.
 *
 * @throws AppError too-many-attempts
 */
export async function countPendingRegistration(db: Db, address: string, limit: number): Promise<void> {
  const until = await countUse(db, clientLimits('waiting accounts from', address, limit * CLIENT_FACTOR));
  if (until !== undefined) throw tooMany(until);
}

/** Counts one use of a key in 15 minutes. @returns whether it is within the limit */
export async function isWithinLimit(db: Db, key: string, max: number): Promise<boolean> {
  return (await countUse(db, [{ key, max }])) === undefined;
}

/** {@link isWithinLimit} for a client, in each of its networks. */
export async function isWithinClientLimit(
  db: Db,
  what: string,
  address: string,
  max: number,
): Promise<boolean> {
  return (await countUse(db, clientLimits(what, address, max))) === undefined;
}

/** Counts one use, unless a limit is reached. @returns the end of the window of that limit */
async function countUse(db: Db, limits: readonly Limit[]): Promise<string | undefined> {
  return changeCounts(db, limits, async (tx) => {
    const until = await findBlock(tx, limits);
    if (until === undefined) await increment(tx, getKeys(limits));
    return until;
  });
}

const iso = (time: number) => new Date(time).toISOString();

/**
 * Whether a window is open. One that ends further ahead than a window lasts was opened before the clock was set back; it is
 * ignored, since it would block for as long as the clock was wrong.
 */
const isOpen = (eb: ExpressionBuilder<Schema, 'attempts'>, now: number) =>
  eb.and([
    eb('window_ends_at', '>', iso(now)),
    eb('window_ends_at', '<=', iso(now + WINDOW_MS + CLOCK_SKEW_MS)),
  ]);

/** The end of the window of a limit that is reached; undefined when none is. */
async function findBlock(db: Db, limits: readonly Limit[]): Promise<string | undefined> {
  if (limits.length === 0) return undefined;
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', 'in', getKeys(limits))
    .where((eb) => isOpen(eb, Date.now()))
    .execute();
  const reached = rows.filter(({ key, failures }) =>
    limits.some((limit) => limit.key === key && failures >= limit.max),
  );
  return reached
    .map(({ window_ends_at }) => window_ends_at)
    .sort()
    .at(-1);
}

/** Increments the count of each key; opens a window for keys without one. */
async function increment(tx: Tx, keys: readonly string[]): Promise<void> {
  const now = Date.now();
  await tx
    .deleteFrom('attempts')
    .where((eb) => eb.not(isOpen(eb, now)))
    .execute();
  const window_ends_at = iso(now + WINDOW_MS);
  await tx
    .insertInto('attempts')
    .values(keys.map((key) => ({ key, failures: 1, window_ends_at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ failures: eb('attempts.failures', '+', 1) })),
    )
    .execute();
}
