import { type ProviderIdentity, providerIdentity } from '../../contract/sign-in-provider.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import type { Secrets } from './provider.ts';
import { hashOf, newToken } from './sessions.ts';

const MINUTE = 60_000;
/** To sign in at the provider. */
const AWAY = 10 * MINUTE;
/** To come back from the callback with the ticket; longer once a password or a code is asked for. */
const BACK = MINUTE;
const ASKED = 5 * MINUTE;

const after = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** Remembers a sign-in that goes to the provider, and answers what the browser proves with that it is the same. */
export async function rememberBegun(db: Db, { state, nonce, verifier }: Secrets): Promise<string> {
  const browser = newToken();
  await transact(db, async (tx) => {
    await tx.deleteFrom('provider_sign_ins').where('expires_at', '<=', after(0)).execute();
    await tx
      .insertInto('provider_sign_ins')
      .values({ browser_hash: hashOf(browser), state, nonce, verifier, expires_at: after(AWAY) })
      .execute();
  });
  return browser;
}

/** What was remembered of a browser that comes back, once: of several at the same time one gets it. */
export async function takeBegun(db: Db, browser: string): Promise<Secrets | undefined> {
  return db
    .deleteFrom('provider_sign_ins')
    .where('browser_hash', '=', hashOf(browser))
    .where('ticket_hash', 'is', null)
    .where('expires_at', '>', after(0))
    .returning(['state', 'nonce', 'verifier'])
    .executeTakeFirst();
}

/** Remembers who came back, for the page to finish with a ticket: the token itself must not be in an address. */
export async function rememberBack(db: Db, browser: string, identity: ProviderIdentity): Promise<string> {
  const ticket = newToken();
  await db
    .insertInto('provider_sign_ins')
    .values({
      browser_hash: hashOf(browser),
      ...{ state: '', nonce: '', verifier: '' },
      identity: JSON.stringify(identity),
      ticket_hash: hashOf(ticket),
      expires_at: after(BACK),
    })
    .execute();
  return ticket;
}

const waiting = (db: Db, browser: string, ticket: string) =>
  db
    .selectFrom('provider_sign_ins')
    .select(['identity', 'state'])
    .where('browser_hash', '=', hashOf(browser))
    .where('ticket_hash', '=', hashOf(ticket))
    .where('expires_at', '>', after(0));

/** Who came back, as long as the ticket is good and comes from the same browser. */
export async function findBack(
  db: Db,
  browser: string,
  ticket: string,
): Promise<ProviderIdentity | undefined> {
  const row = await waiting(db, browser, ticket).executeTakeFirst();
  return row === undefined ? undefined : providerIdentity.parse(JSON.parse(row.identity ?? 'null'));
}

/** Gives the person time to type what is asked for, once. */
export async function giveTime(db: Db, browser: string): Promise<void> {
  await db
    .updateTable('provider_sign_ins')
    .set({ expires_at: after(ASKED), state: 'asked' })
    .where('browser_hash', '=', hashOf(browser))
    .where('state', '=', '')
    .execute();
}

/** Uses the ticket up. False when it was: of several at the same time one finds it there. */
export async function spendTicket(tx: Tx, browser: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('provider_sign_ins')
    .where('browser_hash', '=', hashOf(browser))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
