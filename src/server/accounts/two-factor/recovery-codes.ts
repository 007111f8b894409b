import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../../db/schema.ts';

const CODES_PER_ACCOUNT = 10;
/** 32 characters, so that each random byte picks one evenly, without pairs that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
/** 80 random bits: too many to try, so a plain hash is enough to store. */
const CODE_LENGTH = 16;

/** @returns new codes in place of all old ones; only their hashes are stored */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: CODES_PER_ACCOUNT }, newCode);
  const rows = codes.map((code) => ({ code_hash: hashCode(userId, code), user_id: userId }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Uses up a code. @returns false when the account has no such code: of several concurrent calls one finds it */
export async function consumeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
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
