import { createHash } from 'node:crypto';

/*
 * Hashes of an issued document, which the history has beside its content, so that `sims verify` tells a changed one. The codes
 * themselves are in no entry: anybody who has one can read the figures of a record.
 */

/** SHA-256 of the file, hexadecimal. */
export const hashFile = (pdf: Uint8Array): string => createHash('sha256').update(pdf).digest('hex');

/** SHA-256 of both codes, hexadecimal. */
export const hashCodes = (code: string, handCode: string): string =>
  createHash('sha256').update(`${code}\n${handCode}`).digest('hex');
