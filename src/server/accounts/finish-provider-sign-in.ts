import type { FastifyBaseLogger } from 'fastify';
import type { ProviderIdentity } from '../../contract/sign-in-provider.ts';
import type { Deps } from '../app-types.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { countAttempt } from './attempts.ts';
import { checkCode } from './check-code.ts';
import { isPasswordOf, NOBODYS_HASH } from './passwords.ts';
import { findBack, giveTime, spendTicket } from './provider-sign-ins.ts';
import { findUser, findUserByEmail } from './queries.ts';
import { insertAccount, refuseUnlessAllowed } from './register.ts';
import { hasSecondFactor } from './second-factor.ts';

interface Returning {
  /** What the browser proves with that it is the one that set out. */
  browser: string;
  ticket: string;
  password: string | null;
  code: string | null;
  address: string;
  log: FastifyBaseLogger;
}

type Account = NonNullable<Awaited<ReturnType<typeof findUser>>>;

const spent = () => invalid('ticket', 'This sign-in is no longer valid. Start it again.');

/**
 * The account of a person who has signed in at the provider, made if there is none. One that is there already with the
 * address is linked only with its password: whoever made it may not have been the owner of the address, and whoever runs
 * the provider need not be trusted with the accounts of others. A second factor is asked for as at any sign-in.
 */
export async function finishProviderSignIn(deps: Deps, returning: Returning): Promise<Account> {
  const { db, settings } = deps;
  const { browser, ticket } = returning;
  const identity = await findBack(db.read, browser, ticket);
  if (identity === undefined) throw spent();

  const linked = await linkedAccount(db.read, identity);
  const account = linked ?? (await findUserByEmail(db.read, identity.email));
  if (account !== undefined) await prove(deps, account, returning, { isLinked: linked !== undefined });
  else refuseUnlessAllowed(settings.registration, identity.email, { isFirst: await isEmpty(db.read) });

  return transact(db.write, async (tx) => {
    if (!(await spendTicket(tx, browser))) throw spent();
    if (linked !== undefined) return linked;
    const user =
      account ??
      (await insertAccount(tx, settings.registration, { ...identity, password_hash: NOBODYS_HASH }));
    await link(tx, user, identity);
    const own = await findUser(tx, user.id);
    if (own === undefined) throw spent();
    return own;
  });
}

const isEmpty = async (db: Db) =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;

async function linkedAccount(db: Db, { issuer, subject }: ProviderIdentity): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('identities', 'user_id', 'users.id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Proves what the provider does not: the password of an account that is not linked yet, and the second factor. */
async function prove(
  deps: Deps,
  account: Account,
  { browser, password, code, address, log }: Returning,
  { isLinked }: { isLinked: boolean },
): Promise<void> {
  const { db, settings } = deps;
  const attempt = await countAttempt(db.write, account.email_key, address, settings.loginLimit);
  const ask = async (field: 'password' | 'code') => {
    await attempt.withdrawn();
    await giveTime(db.write, browser);
    return invalid(field, `The ${field} field is required.`);
  };
  if (!isLinked) {
    if (!password) throw await ask('password');
    const isRight = await isPasswordOf(account, password);
    if (!isRight || account.locked_at !== null) {
      throw new AppError('wrong-password', 'Incorrect password entered');
    }
  }
  if (account.locked_at !== null) {
    throw new AppError('forbidden', 'There is no account here that you can use. Ask an administrator.');
  }
  if (await hasSecondFactor(db.read, account.id)) {
    if (code === null) throw await ask('code');
    if (!(await checkCode(deps, log, account, code))) {
      throw new AppError('wrong-password', 'Incorrect code entered');
    }
  }
  await attempt.succeeded();
}

async function link(tx: Tx, user: { id: number; name: string }, identity: ProviderIdentity): Promise<void> {
  const { issuer, subject } = identity;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: user.id, linked_at: new Date().toISOString() })
    .onConflict((taken) => taken.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AppError('forbidden', 'The account with this address belongs to another sign-in there.');
  }
  await recordChange(tx, user, {
    action: 'update',
    entity: 'user',
    entityId: user.id,
    before: {},
    after: { linked_to: issuer },
  });
}
