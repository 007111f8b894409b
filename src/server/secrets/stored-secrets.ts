import { hasTable } from '../db/dialect/catalogue.ts';
import { advisoryLock } from '../db/dialect/locks.ts';
import { withErasedContent } from '../db/dialect/sql.ts';
import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { SIMS_COMMAND, StartError } from '../start-error.ts';
import { getSealingKey, type Place, type Secrets } from './secrets.ts';

interface StoredSecret extends Place {
  stored: string;
  /** False for the key of an app that was never confirmed: its owner starts again. */
  isNeeded: boolean;
}

/** All values that are sealed where there is a key. An older schema has fewer tables. */
async function listStored(db: Db): Promise<StoredSecret[]> {
  const signingKeys = (await hasTable(db, 'signing_keys'))
    ? await db
        .selectFrom('signing_keys')
        .select(['key_id', 'private_key'])
        .where('private_key', 'is not', null)
        .orderBy('key_id')
        .execute()
    : [];
  const factors = (await hasTable(db, 'second_factors'))
    ? await db
        .selectFrom('second_factors')
        .select(['user_id', 'secret', 'confirmed_at'])
        .orderBy('user_id')
        .execute()
    : [];
  return [
    ...signingKeys.map(({ key_id, private_key }) => ({
      column: 'signing_keys.private_key' as const,
      row: key_id,
      stored: private_key ?? '',
      isNeeded: true,
    })),
    ...factors.map(({ user_id, secret, confirmed_at }) => ({
      column: 'second_factors.secret' as const,
      row: user_id,
      stored: secret,
      isNeeded: confirmed_at !== null,
    })),
  ];
}

/** The ids of the keys that are needed to open what is stored, in order. */
export async function findSealingKeys(db: Db): Promise<string[]> {
  const ids = (await listStored(db)).flatMap(({ stored, isNeeded }) =>
    isNeeded ? (getSealingKey(stored) ?? []) : [],
  );
  return [...new Set(ids)].toSorted();
}

/** Where a value is stored that is needed and can't be opened. */
export async function findUnopenable(db: Db, secrets: Secrets): Promise<(Place & { keyId: string })[]> {
  return (await listStored(db))
    .filter((secret) => secret.isNeeded && secrets.tryToOpen(secret.stored, secret) === undefined)
    .map(({ column, row, stored }) => ({ column, row, keyId: getSealingKey(stored) ?? '' }));
}

const REPLACE = `run "${SIMS_COMMAND} signing-key rotate", and "user reset-second-factor" for the accounts that "verify" names.`;

/**
 * Seals with the first key what is stored plain or sealed by another one.
 *
 * @returns the number of values
 * @throws StartError where something is stored that no key opens; nothing was changed then
 */
export async function sealStored(db: Db, secrets: Secrets): Promise<number> {
  requireKeys(
    secrets,
    await findSealingKeys(db),
    'the database',
    `If it is lost, set another one, ${REPLACE}`,
  );
  for (const { column, row } of await findUnopenable(db, secrets))
    throw new StartError(
      `${column} of row ${row} was changed and can't be decrypted: restore a backup, or ${REPLACE}`,
    );
  if (!(await listStored(db)).some(({ stored }) => secrets.isToBeSealed(stored))) return 0;
  return retryTransaction(db, (tx) =>
    withErasedContent(tx, async () => {
      await advisoryLock(tx, 'stored secrets');
      let sealed = 0;
      for (const secret of await listStored(tx)) {
        if (!secrets.isToBeSealed(secret.stored)) continue;
        if (await replaceStored(tx, secret, secrets)) sealed += 1;
      }
      return sealed;
    }),
  );
}

/** @returns false where another process has replaced the value since it was read, or where nobody needs it any more */
async function replaceStored(tx: Tx, secret: StoredSecret, secrets: Secrets): Promise<boolean> {
  const { column, row, stored } = secret;
  const text = secrets.tryToOpen(stored, secret);
  if (column === 'signing_keys.private_key') {
    if (text === undefined) return false;
    const { numUpdatedRows } = await tx
      .updateTable('signing_keys')
      .set({ private_key: secrets.seal(text, secret) })
      .where('key_id', '=', row)
      .where('private_key', '=', stored)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
  if (text === undefined) {
    await tx
      .deleteFrom('second_factors')
      .where('user_id', '=', row)
      .where('confirmed_at', 'is', null)
      .where('secret', '=', stored)
      .execute();
    return false;
  }
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ secret: secrets.seal(text, secret) })
    .where('user_id', '=', row)
    .where('secret', '=', stored)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** For whoever makes or restores a backup or a copy; undefined where nothing in it is sealed. */
export const describeNeededKeys = (what: string, keyIds: readonly string[]): string | undefined =>
  keyIds.length === 0
    ? undefined
    : `Keys in ${what} are encrypted and can't be used without SIMS_SECRET_KEY_FILE (${listLines(keyIds)}): keep that file too, in another place.`;

/** @throws StartError unless the file has the line of each key */
export function requireKeys(secrets: Secrets, keyIds: readonly string[], what: string, remedy: string): void {
  const missing = keyIds.filter((id) => !secrets.has(id));
  if (missing.length === 0) return;
  throw new StartError(
    secrets.hasKeys
      ? `Keys in ${what} are encrypted, and SIMS_SECRET_KEY_FILE does not have ${listLines(missing)}: add it. ${remedy}`
      : `Keys in ${what} are encrypted: set SIMS_SECRET_KEY_FILE to the file with ${listLines(missing)}. ${remedy}`,
  );
}

const listLines = (keyIds: readonly string[]) =>
  `the line with the id ${keyIds.join(' and that with the id ')}`;
