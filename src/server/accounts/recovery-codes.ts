import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../db/schema.ts';

const COUNT = 10;
/** No letter that is taken for another, and 32 of them, so that each byte picks one evenly. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';
/** 80 random bits: too many to try, so a plain hash keeps them from whoever reads the database. */
const LENGTH = 16;

/** As people type it: case, blanks and hyphens do not matter. */
const folded = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');
const hashOfCode = (userId: number, code: string) =>
  createHash('sha256')
    .update(`${userId} ${folded(code)}`)
    .digest('hex');

function newCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
  return letters.replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** Gives an account new codes in place of its old ones, and answers them: they are kept as hashes alone. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await removeRecoveryCodes(tx, userId);
  const codes = Array.from({ length: COUNT }, newCode);
  const rows = codes.map((code) => ({ code_hash: hashOfCode(userId, code), user_id: userId }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

export async function removeRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Uses a code up. False when it is none of the account's, or used: of several at the same time one finds it there. */
export async function spendRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hashOfCode(userId, code))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
