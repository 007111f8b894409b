import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretKey } from '../settings/secret-keys.ts';
import { StartError } from '../start-error.ts';

/** Where a value is stored. It is opened only there: one that is moved to another row can't be. */
export interface Place {
  column: 'signing_keys.private_key' | 'second_factors.secret';
  /** The primary key. */
  row: number;
}

/** `sealed:1:<id of the key>:<nonce, ciphertext and tag in base64url>`. Neither a PEM nor Base32 begins like this. */
const PREFIX = 'sealed:';
const VERSION = '1';
const SEALED = new RegExp(`^${PREFIX}${VERSION}:([0-9a-f]{8}):([A-Za-z0-9_-]+)$`);
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of the key that has sealed a stored value; undefined for a plain one. */
export function getSealingKey(stored: string): string | undefined {
  return stored.startsWith(PREFIX) ? (stored.split(':', 3)[2] ?? 'unknown') : undefined;
}

/** Encrypts keys before they are stored, and decrypts them. */
export class Secrets {
  readonly #first: SecretKey | undefined;
  readonly #byId: ReadonlyMap<string, KeyObject>;

  /** @param keys the first one encrypts, all decrypt; without any, values are stored plain */
  constructor(keys: readonly SecretKey[]) {
    this.#first = keys[0];
    this.#byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  get hasKeys(): boolean {
    return this.#first !== undefined;
  }

  has(keyId: string): boolean {
    return this.#byId.has(keyId);
  }

  /** Whether a stored value is plain or sealed by another key than the first. */
  isToBeSealed(stored: string): boolean {
    return this.#first !== undefined && getSealingKey(stored) !== this.#first.id;
  }

  /** @returns what to store */
  seal(text: string, place: Place): string {
    if (this.#first === undefined) return text;
    const { id, key } = this.#first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(describePlace(place, id));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${VERSION}:${id}:${sealed.toString('base64url')}`;
  }

  /** @throws StartError for a sealed value that no key opens */
  open(stored: string, place: Place): string {
    const text = this.tryToOpen(stored, place);
    if (text !== undefined) return text;
    throw new StartError(
      `${place.column} of row ${place.row} is encrypted with the key ${getSealingKey(stored)}, and no line of SIMS_SECRET_KEY_FILE opens it.`,
    );
  }

  /** Undefined for a sealed value that no key opens. */
  tryToOpen(stored: string, place: Place): string | undefined {
    if (getSealingKey(stored) === undefined) return stored;
    const [, id = '', encoded = ''] = SEALED.exec(stored) ?? [];
    const key = this.#byId.get(id);
    const sealed = Buffer.from(encoded, 'base64url');
    if (key === undefined || sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(describePlace(place, id));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

const describePlace = ({ column, row }: Place, keyId: string) =>
  Buffer.from([PREFIX + VERSION, keyId, column, row].join(' '));
