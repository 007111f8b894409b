import { type ProviderIdentity, providerIdentity } from '../../../contract/accounts/sign-in.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { hashToken, newToken } from '../sessions/sessions.ts';
import type { SignInSecrets } from './oidc-client.ts';

const MINUTE_MS = 60_000;
/** Time from the login page to the return from the single sign-on provider. */
const PROVIDER_TIMEOUT_MS = 10 * MINUTE_MS;
/** Time from the return to the request with the ticket; extended once when a password or a code is asked for. */
const TICKET_TIMEOUT_MS = MINUTE_MS;
const EXTENDED_TIMEOUT_MS = 5 * MINUTE_MS;

const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** Stores a sign-in that goes to the provider. @returns the value of the cookie that ties it to this browser */
export async function storeSignInRequest(tx: Tx, { state, nonce, verifier }: SignInSecrets): Promise<string> {
  const browser = newToken();
  await tx.deleteFrom('provider_sign_ins').where('expires_at', '<=', fromNow(0)).execute();
  await tx
    .insertInto('provider_sign_ins')
    .values({
      browser_hash: hashToken(browser),
      state,
      nonce,
      verifier,
      expires_at: fromNow(PROVIDER_TIMEOUT_MS),
    })
    .execute();
  return browser;
}

/** Removes and answers what was stored for a browser: of several concurrent calls one gets it. */
export async function takeSignInRequest(db: Db, browser: string): Promise<SignInSecrets | undefined> {
  return db
    .deleteFrom('provider_sign_ins')
    .where('browser_hash', '=', hashToken(browser))
    .where('ticket_hash', 'is', null)
    .where('expires_at', '>', fromNow(0))
    .returning(['state', 'nonce', 'verifier'])
    .executeTakeFirst();
}

/**
 * Stores who has signed in at the provider.
 *
 * @returns a ticket for the login page, since a session token must not appear in an address
 */
export async function storePending(db: Db, browser: string, identity: ProviderIdentity): Promise<string> {
  const ticket = newToken();
  await db
    .insertInto('provider_sign_ins')
    .values({
      browser_hash: hashToken(browser),
      state: '',
      nonce: '',
      verifier: '',
      identity: JSON.stringify(identity),
      ticket_hash: hashToken(ticket),
      expires_at: fromNow(TICKET_TIMEOUT_MS),
    })
    .execute();
  return ticket;
}

/** The person who has signed in at the provider, while the ticket is valid and comes from the same browser. */
export async function findPending(
  db: Db,
  browser: string,
  ticket: string,
): Promise<ProviderIdentity | undefined> {
  const row = await db
    .selectFrom('provider_sign_ins')
    .select('identity')
    .where('browser_hash', '=', hashToken(browser))
    .where('ticket_hash', '=', hashToken(ticket))
    .where('expires_at', '>', fromNow(0))
    .executeTakeFirst();
  return row === undefined ? undefined : providerIdentity.parse(JSON.parse(row.identity ?? 'null'));
}

/** Gives the person time to type a password or a code, once. */
export async function extendPending(db: Db, browser: string): Promise<void> {
  await db
    .updateTable('provider_sign_ins')
    .set({ expires_at: fromNow(EXTENDED_TIMEOUT_MS), state: 'asked' })
    .where('browser_hash', '=', hashToken(browser))
    .where('state', '=', '')
    .execute();
}

/** @returns false when the ticket is used: of several concurrent calls one finds it */
export async function consumeTicket(tx: Tx, browser: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('provider_sign_ins')
    .where('browser_hash', '=', hashToken(browser))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
