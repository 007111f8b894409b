import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.ts';

/**
 * The chain that makes tampering with the history evident. The entries have numbers from 1 in the order in which their
 * transactions ended, and each number has a hash over the entry and over the hash before. So whoever changes, removes,
 * inserts or reorders entries has to make every later hash anew, up to the last one, the head: which an administrator
 * may have noted elsewhere.
 *
 *     digest(entry) = SHA-256 of entryText(entry), in UTF-8
 *     hash(0)       = 64 zeros
 *     hash(n)       = SHA-256 of "<hash(n - 1)> <n> <digest(entry n)>"
 *
 * Digests and hashes are written in lower-case hexadecimal. All of it holds for ever: with other texts no hash of
 * before could be checked again.
 */
export type Entry = Selectable<Schema['history']>;

export interface Head {
  /** How many entries are in the chain. */
  number: number;
  hash: string;
}

/** Of a history without entries. */
export const EMPTY: Head = { number: 0, hash: '0'.repeat(64) };

/**
 * The canonical text of an entry: its fields as a JSON array, as ECMAScript writes it, in this order. Two entries that
 * differ in any field have different texts. It depends on nothing but the fields, so it is the same on any engine.
 */
export const entryText = (entry: Entry): string =>
  JSON.stringify([
    entry.id,
    entry.at,
    entry.user_id,
    entry.user_name,
    entry.action,
    entry.entity,
    entry.entity_id,
    entry.before,
    entry.after,
    entry.bulk_id,
  ]);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const digestOf = (entry: Entry): string => sha256(entryText(entry));

/** The head after one more entry. */
export const headAfter = ({ number, hash }: Head, digest: string): Head => ({
  number: number + 1,
  hash: sha256(`${hash} ${number + 1} ${digest}`),
});
