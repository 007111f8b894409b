import type { SecondFactorBegun, SignInMethods } from '../../contract/second-factor.ts';
import { locked } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import type { Actor } from './actor.ts';
import { lockUser } from './queries.ts';
import { removeRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts';
import { endOtherSessions, endSessionsOf } from './sessions.ts';
import { newSecret, setUpUri, stepOf } from './totp.ts';

/** A set-up that was begun has to be confirmed within this time. */
const SET_UP_WITHIN = 30 * 60_000;
/**
 * Wrong codes in a row, from wherever, after which no code of the app is taken until a recovery code has been: limits
 * per address alone would let somebody who knows the password try all codes from many addresses.
 */
export const MOST_FAILURES = 100;
/** Wrong codes in a row that nobody comes to by mistyping: they stand in the history, and the owner is told. */
export const ALARMING_FAILURES = 5;

const confirmed = (db: Db, userId: number) =>
  db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null);

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await confirmed(db, userId).executeTakeFirst()) !== undefined;
}

export async function secondFactorOf(db: Db, userId: number): Promise<SignInMethods['second_factor']> {
  const factor = await confirmed(db, userId).executeTakeFirst();
  if (factor === undefined) return null;
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { since: factor.confirmed_at ?? factor.begun_at, recovery_codes_left: Number(count) };
}

/** Begins to set up a second factor, anew if it was begun before. The caller has proved the password. */
export async function beginSecondFactor(db: Db, actor: Actor): Promise<Omit<SecondFactorBegun, 'message'>> {
  const secret = newSecret();
  const begun = {
    ...{ user_id: actor.id, secret, begun_at: new Date().toISOString() },
    ...{ confirmed_at: null, last_step: null, failures: 0 },
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('second_factors')
    .values(begun)
    .onConflict((own) =>
      own.column('user_id').doUpdateSet(begun).where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AppError('conflict', 'A second factor is set up already. Remove it first.');
  }
  return { secret, uri: setUpUri(secret, actor.email) };
}

/**
 * Makes the second factor that was begun count, ends the actor's other sessions, which were started without it, and
 * answers the recovery codes. Undefined when the code is wrong.
 */
export async function confirmSecondFactor(db: Db, actor: Actor, code: string): Promise<string[] | undefined> {
  return transact(db, async (tx) => {
    // Or a sign-in with the password alone, under way at this moment, would be left out.
    await lockUser(tx, actor.id);
    const begun = await locked(
      tx,
      tx.selectFrom('second_factors').selectAll().where('user_id', '=', actor.id),
    ).executeTakeFirst();
    const since = new Date(Date.now() - SET_UP_WITHIN).toISOString();
    if (begun === undefined || begun.confirmed_at !== null || begun.begun_at < since) {
      throw new AppError('conflict', 'No second factor is being set up. Begin again.');
    }
    const step = stepOf(begun.secret, code);
    if (step === undefined) return undefined;
    await tx
      .updateTable('second_factors')
      .set({ confirmed_at: new Date().toISOString(), last_step: step })
      .where('user_id', '=', actor.id)
      .execute();
    const codes = await replaceRecoveryCodes(tx, actor.id);
    await endOtherSessions(tx, actor);
    await recordFactor(tx, actor, actor.id, 'set up');
    return codes;
  });
}

/** Whether a code is the account's and has not been used, and how many in a row were not; it is used up by this. */
export async function spendCode(
  db: Db,
  user: { id: number; name: string },
  code: string,
): Promise<{ isRight: boolean; failures: number }> {
  return transact(db, async (tx) => {
    const factor = await locked(tx, confirmed(tx, user.id)).executeTakeFirst();
    if (factor === undefined) return { isRight: false, failures: 0 };
    const set = (change: Partial<Pick<typeof factor, 'last_step' | 'failures'>>) =>
      tx.updateTable('second_factors').set(change).where('user_id', '=', user.id).execute();
    if (await spendRecoveryCode(tx, user.id, code)) {
      await set({ failures: 0 });
      await recordFactor(tx, user, user.id, 'recovery code used');
      return { isRight: true, failures: 0 };
    }
    const step = factor.failures < MOST_FAILURES ? stepOf(factor.secret, code) : undefined;
    if (step !== undefined && step > (factor.last_step ?? 0)) {
      await set({ last_step: step, failures: 0 });
      return { isRight: true, failures: 0 };
    }
    const failures = factor.failures + 1;
    await set({ failures });
    if (failures === ALARMING_FAILURES) await recordFactor(tx, user, user.id, `${failures} wrong codes`);
    if (failures === MOST_FAILURES) await recordFactor(tx, user, user.id, 'shut after wrong codes');
    return { isRight: false, failures };
  });
}

/** Removes one's own second factor. The caller has proved password and code. */
export async function removeSecondFactor(db: Db, actor: Actor): Promise<void> {
  await transact(db, (tx) => remove(tx, actor, actor.id, 'removed'));
}

/** Takes another person's second factor away, who has lost it, and ends their sessions: it may have been stolen. */
export async function resetSecondFactor(db: Db, author: Author, userId: number): Promise<void> {
  if (author.id === userId)
    throw invalid('id', 'Your own second factor is removed with a code, on your profile.');
  await transact(db, async (tx) => {
    if (await remove(tx, author, userId, 'reset')) await endSessionsOf(tx, userId);
  });
}

async function remove(tx: Tx, author: Author, userId: number, how: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await removeRecoveryCodes(tx, userId);
  await recordFactor(tx, author, userId, how);
  return true;
}

const recordFactor = (tx: Tx, author: Author, userId: number, how: string) =>
  recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: {},
    after: { second_factor: how },
  });
