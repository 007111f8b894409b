import type { FastifyBaseLogger } from 'fastify';
import type { ProviderIdentity } from '../../../contract/accounts/sign-in.ts';
import type { Deps } from '../../app-types.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { Registration } from '../../settings/environment.ts';
import { DUMMY_HASH, verifyPassword } from '../credentials/hash.ts';
import { countSignIn } from '../credentials/login-throttle.ts';
import { findUser, findUserByEmail, hasSecondFactor, hasUsers } from '../queries.ts';
import { registerUser, requireRegistrationOpen } from '../registration/register.ts';
import { markVerified } from '../registration/verification.ts';
import { checkCode } from '../two-factor/two-factor.ts';
import { consumeTicket, extendPending, findPending } from './sso-state.ts';

/** The request of the login page after the single sign-on provider has sent the browser back. */
interface FinishRequest {
  /** The value of the cookie that ties the sign-in to one browser. */
  browser: string;
  ticket: string;
  password: string | null;
  code: string | null;
  address: string;
  log: FastifyBaseLogger;
}

type Account = NonNullable<Awaited<ReturnType<typeof findUser>>>;

interface CheckedSignIn {
  identity: ProviderIdentity;
  /** Undefined when there is no account with this identity or email yet. */
  account: Account | undefined;
  /** The account is linked to the identity already. */
  isLinked: boolean;
}

const invalidTicket = () => invalidField('ticket', 'This sign-in is no longer valid. Start it again.');

/**
 * Checks a sign-in confirmed by the provider. An existing account with the email is linked only with its password:
 * it may have been registered by another person, and the provider need not be trusted with existing accounts. A second
 * factor is asked for as in every sign-in.
 *
 * @throws ValidationError when the ticket is invalid or a password or code is needed; AppError forbidden,
 * wrong-password or too-many-attempts
 */
export async function checkProviderSignIn(deps: Deps, request: FinishRequest): Promise<CheckedSignIn> {
  const { db, settings } = deps;
  const identity = await findPending(db.read, request.browser, request.ticket);
  if (identity === undefined) throw invalidTicket();

  const linked = await findLinkedAccount(db.read, identity);
  const account = linked ?? (await findUserByEmail(db.read, identity.email));
  const isLinked = linked !== undefined;
  if (account !== undefined) await requireProof(deps, account, request, { isLinked });
  else
    requireRegistrationOpen(settings.registration, identity.email, { isFirst: !(await hasUsers(db.read)) });
  return { identity, account, isLinked };
}

/**
 * Uses up the ticket, and creates or links the account.
 *
 * @throws ValidationError when the ticket is used; AppError forbidden when the account is linked to another identity
 */
export async function finishProviderSignIn(
  tx: Tx,
  registration: Registration,
  browser: string,
  { identity, account, isLinked }: CheckedSignIn,
): Promise<Account> {
  if (!(await consumeTicket(tx, browser))) throw invalidTicket();
  if (isLinked && account !== undefined) return account;
  const user = account ?? (await registerByProvider(tx, registration, identity));
  await linkIdentity(tx, user, identity);
  // The provider has verified the email, also of an account that was registered with a password before.
  await markVerified(tx, registration, user);
  const current = await findUser(tx, user.id);
  if (current === undefined) throw invalidTicket();
  return current;
}

async function registerByProvider(tx: Tx, registration: Registration, { name, email }: ProviderIdentity) {
  const registrant = { name, email, password_hash: DUMMY_HASH, isVerified: true };
  return (await registerUser(tx, registration, registrant)).user;
}

async function findLinkedAccount(
  db: Db,
  { issuer, subject }: ProviderIdentity,
): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('identities', 'user_id', 'users.id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Requires what the provider does not prove: the password of an account that is not linked yet, and the code of the app. */
async function requireProof(
  deps: Deps,
  account: Account,
  { browser, password, code, address, log }: FinishRequest,
  { isLinked }: { isLinked: boolean },
): Promise<void> {
  const { db, settings } = deps;
  const attempt = await countSignIn(db.write, account.email, address, settings.loginLimit);
  const askFor = async (field: 'password' | 'code') => {
    await attempt.undo();
    await extendPending(db.write, browser);
    return invalidField(field, `The ${field} field is required.`);
  };
  if (!isLinked) {
    if (!password) throw await askFor('password');
    const isRight = await verifyPassword(account, password);
    if (!isRight || account.locked_at !== null) {
      throw new AppError('wrong-password', 'Incorrect password entered');
    }
  }
  if (account.locked_at !== null) {
    throw new AppError('forbidden', 'There is no account here that you can use. Ask an administrator.');
  }
  if (await hasSecondFactor(db.read, account.id)) {
    if (code === null) throw await askFor('code');
    if (!(await checkCode(deps, log, account, code))) {
      throw new AppError('wrong-password', 'Incorrect code entered');
    }
  }
  await attempt.succeeded();
}

async function linkIdentity(
  tx: Tx,
  user: { id: number; name: string },
  { issuer, subject }: ProviderIdentity,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: user.id, linked_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
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
