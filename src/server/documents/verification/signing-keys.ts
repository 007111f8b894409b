import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { advisoryLock } from '../../db/dialect/locks.ts';
import { withErasedContent } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import type { Place, Secrets } from '../../secrets/secrets.ts';

/** The key that signs now. */
export interface SigningKey {
  keyId: number;
  privateKey: KeyObject;
}

/** Codes are signed with Ed25519 alone: another key could not have signed one. */
export class OtherKeyKind extends Error {}

/** Parsed keys by their PEM. A public key never changes, and each verification needs one. */
const parsed = new Map<string, KeyObject>();
const MAX_PARSED = 100;

/** @throws when the text is no public key in PEM, or one of another kind than Ed25519 */
export function parsePublicKey(pem: string): KeyObject {
  const known = parsed.get(pem);
  if (known !== undefined) return known;
  const key = createPublicKey(pem);
  const kind = key.asymmetricKeyType;
  if (kind !== 'ed25519') throw new OtherKeyKind(`The key is of the kind ${kind}, not ed25519.`);
  if (parsed.size === MAX_PARSED) parsed.clear();
  parsed.set(pem, key);
  return key;
}

const placeOf = (keyId: number): Place => ({ column: 'signing_keys.private_key', row: keyId });

/**
 * The key that signs now; undefined before the first use.
 *
 * @throws StartError where it is encrypted with a key that this process does not have
 */
export async function findSigningKey(db: Db, secrets: Secrets): Promise<SigningKey | undefined> {
  const row = await db
    .selectFrom('signing_keys')
    .select(['key_id', 'private_key'])
    .orderBy('key_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row?.private_key === undefined || row.private_key === null) return undefined;
  return {
    keyId: row.key_id,
    privateKey: createPrivateKey(secrets.open(row.private_key, placeOf(row.key_id))),
  };
}

/** The key that signs now, which is made at the first use. */
export async function getSigningKey(tx: Tx, secrets: Secrets, author: Author): Promise<SigningKey> {
  await advisoryLock(tx, 'signing keys');
  return (await findSigningKey(tx, secrets)) ?? addKey(tx, secrets, author);
}

/** Makes another key sign from now on. The private one before it is removed, its public one stays. @returns its number */
export async function rotateSigningKey(tx: Tx, secrets: Secrets, author: Author): Promise<number> {
  await advisoryLock(tx, 'signing keys');
  return (await addKey(tx, secrets, author)).keyId;
}

async function addKey(tx: Tx, secrets: Secrets, author: Author): Promise<SigningKey> {
  const at = new Date().toISOString();
  const { last } = await tx
    .selectFrom('signing_keys')
    .select((eb) => eb.fn.max('key_id').as('last'))
    .executeTakeFirstOrThrow();
  const keyId = Number(last ?? 0) + 1;
  await withErasedContent(tx, () =>
    tx
      .updateTable('signing_keys')
      .set({ private_key: null, retired_at: at })
      .where('private_key', 'is not', null)
      .execute(),
  );
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await tx
    .insertInto('signing_keys')
    .values({
      key_id: keyId,
      public_key,
      created_at: at,
      retired_at: null,
      private_key: secrets.seal(pem, placeOf(keyId)),
    })
    .execute();
  await recordChange(tx, author, {
    action: 'create',
    entity: 'document',
    entityId: `key ${keyId}`,
    after: { public_key },
  });
  return { keyId, privateKey };
}

/** All public keys in PEM, the newest first. */
export async function listPublicKeys(db: Db): Promise<{ keyId: number; pem: string }[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['key_id', 'public_key'])
    .orderBy('key_id', 'desc')
    .execute();
  return rows.map(({ key_id, public_key }) => ({ keyId: key_id, pem: public_key }));
}
