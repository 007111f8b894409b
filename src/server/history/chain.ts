import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.ts';

/**
 * The hash chain that makes tampering with the history evident. Entries are numbered from 1 in the order in which they
 * were linked (see `links.ts`), and each number has a hash of the entry and the previous hash. Changing, removing, inserting or
 * reordering an entry changes every later hash up to the last one, the head, of which an administrator can keep a copy
 * elsewhere.
 *
 *     digest(entry) = SHA-256 of canonicalEntry(entry), in UTF-8
 *     hash(0)       = 64 zeros
 *     hash(n)       = SHA-256 of "<hash(n - 1)> <n> <digest(entry n)>"
 *
 * Digests and hashes are lower-case hexadecimal. The format must never change: existing hashes could not be verified any
 * more.
 */
export type Entry = Selectable<Schema['history']>;

export interface Head {
  /** Number of entries in the chain. */
  number: number;
  hash: string;
}

/** The head of an empty history. */
export const EMPTY_HEAD: Head = { number: 0, hash: '0'.repeat(64) };

/**
 * The canonical text of an entry: its fields in this order as a JSON array, as `JSON.stringify` writes it. Entries that
 * differ in any field have different texts. It is the same on every database engine.
 */
export const canonicalEntry = (entry: Entry): string =>
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

/** {@link canonicalEntry} without what precedes the number, `[`, and the number itself. */
export const canonicalTextAfterId = (entry: Omit<Entry, 'id'>): string =>
  canonicalEntry({ ...entry, id: 0 }).slice('[0'.length);

const sha256 = (text: string) => hash('sha256', text, 'hex');

export const entryDigest = (entry: Entry): string => sha256(canonicalEntry(entry));

/** The head after one more entry. */
export const advanceHead = (head: Head, digest: string): Head => ({
  number: head.number + 1,
  hash: sha256(`${head.hash} ${head.number + 1} ${digest}`),
});
