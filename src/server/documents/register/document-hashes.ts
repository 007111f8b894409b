import { createHash } from 'node:crypto';

/*
 * What the history has of an issued document beside its content, so that `sims verify` tells a changed one. The codes themselves
 * are in no entry: whoever has one reads the figures of a record.
 */

/** SHA-256 of the file, hexadecimal. */
export const hashFile = (pdf: Uint8Array): string => createHash('sha256').update(pdf).digest('hex');

/** SHA-256 of both codes, hexadecimal. */
export const hashCodes = (code: string, handCode: string): string =>
  createHash('sha256').update(`${code}\n${handCode}`).digest('hex');
