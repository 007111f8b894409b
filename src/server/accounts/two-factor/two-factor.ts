import { createHash, randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import type { SecondFactorSetup, SignInMethods } from '../../../contract/accounts/sign-in.ts';
import type { Deps } from '../../app-types.ts';
import { locked, lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import type { Actor } from '../../http/actor.ts';
import type { Mail, Mailer } from '../../mail.ts';
import type { Place, Secrets } from '../../secrets/secrets.ts';
import { findConfirmedFactor, lockUser } from '../queries.ts';
import { endOtherSessions, endUserSessions } from '../sessions/sessions.ts';

const SETUP_TIMEOUT_MS = 30 * 60_000;
/**
 * Wrong codes in a row, from any client, after which only a recovery code is accepted. The limits per client alone would
 * let a person who knows the password try all codes from many addresses.
 */
const MAX_FAILURES = 100;
/** Wrong codes in a row that are no typing errors any more: recorded in the history and mailed to the owner. */
const ALERT_FAILURES = 5;

const placeOf = (userId: number): Place => ({ column: 'second_factors.secret', row: userId });

export async function findSecondFactor(db: Db, userId: number): Promise<SignInMethods['second_factor']> {
  const factor = await findConfirmedFactor(db, userId).executeTakeFirst();
  if (factor === undefined) return null;
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { since: factor.confirmed_at ?? factor.begun_at, recovery_codes_left: Number(count) };
}

/**
 * Begins a setup, in place of an unfinished one. The caller has confirmed the password.
 *
 * @throws AppError conflict when it is set up already
 */
export async function beginSecondFactor(
  tx: Tx,
  secrets: Secrets,
  actor: Actor,
): Promise<Omit<SecondFactorSetup, 'message'>> {
  const secret = newTotpSecret();
  const setup = {
    user_id: actor.id,
    secret: secrets.seal(secret, placeOf(actor.id)),
    begun_at: new Date().toISOString(),
    confirmed_at: null,
    last_step: null,
    failures: 0,
  };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('second_factors')
    .values(setup)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(setup).where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AppError('conflict', 'Two-factor authentication is already on. Turn it off first.');
  }
  return { secret, uri: totpUri(secret, actor.email) };
}

/**
 * Finishes a setup with a code of the app, and ends the actor's other sessions, which were started without a code.
 *
 * @returns the recovery codes; undefined when the code is wrong
 * @throws AppError conflict without a setup that is in time
 */
export async function confirmSecondFactor(
  tx: Tx,
  secrets: Secrets,
  author: Author,
  actor: Actor,
  code: string,
): Promise<string[] | undefined> {
  // A concurrent sign-in with the password alone takes the same lock, so it ends before this or sees that it is set up.
  await lockUser(tx, actor.id);
  const setup = await locked(
    tx,
    tx.selectFrom('second_factors').selectAll().where('user_id', '=', actor.id),
  ).executeTakeFirst();
  const earliest = new Date(Date.now() - SETUP_TIMEOUT_MS).toISOString();
  if (setup === undefined || setup.confirmed_at !== null || setup.begun_at < earliest) {
    throw new AppError('conflict', 'Two-factor authentication is not being set up. Start again.');
  }
  const step = findTotpStep(secrets.open(setup.secret, placeOf(actor.id)), code);
  if (step === undefined) return undefined;
  await tx
    .updateTable('second_factors')
    .set({ confirmed_at: new Date().toISOString(), last_step: step })
    .where('user_id', '=', actor.id)
    .execute();
  const codes = await replaceRecoveryCodes(tx, actor.id);
  await endOtherSessions(tx, actor);
  await recordFactor(tx, author, actor.id, 'set up');
  return codes;
}

/** The caller has confirmed password and code. */
export async function removeSecondFactor(tx: Tx, author: Author, userId: number): Promise<void> {
  await deleteSecondFactor(tx, author, userId, 'removed');
}

/**
 * Removes two-factor authentication of a person who has lost the app, and ends their sessions: it may have been stolen.
 *
 * @throws ValidationError for the author's own
 */
export async function resetSecondFactor(tx: Tx, author: Author, userId: number): Promise<void> {
  if (author.id === userId)
    throw invalidField('id', 'Turn off your own two-factor authentication on your profile, with a code.');
  await lockTable(tx, 'users');
  if (await deleteSecondFactor(tx, author, userId, 'reset')) await endUserSessions(tx, userId);
}

async function deleteSecondFactor(tx: Tx, author: Author, userId: number, how: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await deleteRecoveryCodes(tx, userId);
  await recordFactor(tx, author, userId, how);
  return true;
}

interface Owner {
  id: number;
  name: string;
  email: string;
}

/**
 * Checks a code of an account and uses it up. A person who is asked for a code has given the right password, so repeated
 * wrong codes are an alarm: the owner is mailed, in the background. The count of wrong codes has to be stored although the call
 * is refused, so this opens its own transaction.
 */
export async function checkCode(
  { db, mailer, secrets }: Pick<Deps, 'db' | 'mailer' | 'secrets'>,
  log: Pick<FastifyBaseLogger, 'error'>,
  owner: Owner,
  code: string,
): Promise<boolean> {
  const { isRight, failures } = await transact(db.write, (tx) => consumeCode(tx, secrets, owner, code));
  const isAlarming = failures === ALERT_FAILURES || failures === MAX_FAILURES;
  if (!isRight && isAlarming && mailer !== undefined) {
    mailer
      .send(warningMail(owner, failures, mailer))
      .catch((err: unknown) => log.error({ err }, 'warning of wrong codes not sent'));
  }
  return isRight;
}

/** @returns whether the code was valid and unused, and the number of wrong codes in a row */
async function consumeCode(
  tx: Tx,
  secrets: Secrets,
  user: { id: number; name: string },
  code: string,
): Promise<{ isRight: boolean; failures: number }> {
  const factor = await locked(tx, findConfirmedFactor(tx, user.id)).executeTakeFirst();
  if (factor === undefined) return { isRight: false, failures: 0 };
  const update = (change: Partial<Pick<typeof factor, 'last_step' | 'failures'>>) =>
    tx.updateTable('second_factors').set(change).where('user_id', '=', user.id).execute();
  if (await consumeRecoveryCode(tx, user.id, code)) {
    await update({ failures: 0 });
    await recordFactor(tx, user, user.id, 'recovery code used');
    return { isRight: true, failures: 0 };
  }
  const secret = secrets.open(factor.secret, placeOf(user.id));
  const step = factor.failures < MAX_FAILURES ? findTotpStep(secret, code) : undefined;
  if (step !== undefined && step > (factor.last_step ?? 0)) {
    await update({ last_step: step, failures: 0 });
    return { isRight: true, failures: 0 };
  }
  const failures = factor.failures + 1;
  await update({ failures });
  if (failures === ALERT_FAILURES) await recordFactor(tx, user, user.id, `${failures} wrong codes`);
  if (failures === MAX_FAILURES) await recordFactor(tx, user, user.id, 'shut after wrong codes');
  return { isRight: false, failures };
}

const recordFactor = (tx: Tx, author: Author, userId: number, how: string) =>
  recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: {},
    after: { second_factor: how },
  });

const warningMail = ({ email }: Owner, failures: number, { publicUrl }: Mailer): Mail => ({
  to: email,
  subject: 'Wrong codes for your account',
  text: `${failures} wrong codes in a row have been entered for your account in the Student Information Management System, by somebody who knows your password.${
    failures === MAX_FAILURES ? ' No code of your app is taken any more, only a recovery code.' : ''
  }\n\nIf that was not you, set another password on your profile:\n${new URL('/list-users#password', publicUrl)}\n`,
});

/** The defaults that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
/** Clocks may differ by this many periods. */
const DRIFT = 1;

const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: 'SIMS', label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** 160 random bits in Base32. */
const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The `otpauth:` address that apps read from a QR code. */
const totpUri = (secret: string, email: string): string => createTotp(secret, email).toString();

/** The number of the period that a code belongs to; undefined when it is not valid now. */
function findTotpStep(secret: string, code: string): number | undefined {
  const totp = createTotp(secret);
  const now = Date.now();
  const delta = totp.validate({ token: code.replaceAll(/[\s-]/g, ''), timestamp: now, window: DRIFT });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

const CODES_PER_ACCOUNT = 10;
/** 32 characters, so that each random byte picks one evenly, without pairs that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
/** 120 random bits: too many to try, so a plain hash is enough to store (NIST SP 800-63B 3.1.2.2 asks for 112). */
const CODE_LENGTH = 24;

/** @returns new codes in place of all old ones; only their hashes are stored */
async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: CODES_PER_ACCOUNT }, newCode);
  const rows = codes.map((code) => ({ code_hash: hashCode(userId, code), user_id: userId }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Uses up a code. @returns false when the account has no such code: of several concurrent calls one finds it */
async function consumeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hashCode(userId, code))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Letters in groups of four. */
function newCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return letters.join('').replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** People type case, spaces and hyphens as they like. */
function hashCode(userId: number, code: string): string {
  const normalized = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`${userId} ${normalized}`).digest('hex');
}
