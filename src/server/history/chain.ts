import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { forUpdate } from '../db/dialect/locks.ts';
import { appendLinkInOneStatement, jsonToRows } from '../db/dialect/sql.ts';
import { preparedQuery } from '../db/prepared-query.ts';
import type { Schema, Tx } from '../db/schema.ts';

/**
 * The hash chain that makes tampering with the history evident. Entries are numbered from 1 in the order in which their
 * transactions committed, and each number has a hash of the entry and the previous hash. Changing, removing, inserting or
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

const sha256 = (text: string) => hash('sha256', text, 'hex');

export const entryDigest = (entry: Entry): string => sha256(canonicalEntry(entry));

/** The head after one more entry. */
export const advanceHead = (head: Head, digest: string): Head => ({
  number: head.number + 1,
  hash: sha256(`${head.hash} ${head.number + 1} ${digest}`),
});

/** Links per batch: as many as take a few milliseconds. */
const BATCH_SIZE = 1_000;

const DIGEST_BYTES = 32;

/** What the links need of their entries. A transaction may have a hundred thousand of them, so it is little. */
class UnlinkedEntries {
  readonly #ids: number[] = [];
  #digests = Buffer.alloc(DIGEST_BYTES);

  get length(): number {
    return this.#ids.length;
  }

  add(entry: Entry): void {
    const at = this.#ids.length * DIGEST_BYTES;
    if (at === this.#digests.length) this.#digests = Buffer.concat([this.#digests], 2 * at);
    this.#digests.write(entryDigest(entry), at, 'hex');
    this.#ids.push(entry.id);
  }

  slice(start: number, end: number): { id: number; digest: string }[] {
    return this.#ids.slice(start, end).map((id, i) => {
      const at = (start + i) * DIGEST_BYTES;
      return { id, digest: this.#digests.toString('hex', at, at + DIGEST_BYTES) };
    });
  }
}

const unlinked = new WeakMap<Tx, UnlinkedEntries>();

/** Registers a stored entry to be linked to the chain at the end of its transaction. */
export function queueForChain(tx: Tx, entry: Entry): void {
  const waiting = unlinked.get(tx) ?? new UnlinkedEntries();
  waiting.add(entry);
  unlinked.set(tx, waiting);
}

/**
 * Links the entries that a transaction has stored, in their order. Must be the last step of the transaction: locking the head
 * blocks the commit of all others, and a transaction that waits for no further lock cannot cause a deadlock.
 */
export async function appendToChain(tx: Tx): Promise<void> {
  const entries = unlinked.get(tx);
  if (entries === undefined) return;
  unlinked.delete(tx);
  const [first] = entries.slice(0, 1);
  if (entries.length === 1 && first !== undefined && (await appendLinkInOneStatement(tx, first))) return;
  let head = await lockHead(tx);
  for (let i = 0; i < entries.length; i += BATCH_SIZE) {
    if (i > 0) await setImmediate();
    const links = entries.slice(i, i + BATCH_SIZE).map(({ id, digest }) => {
      head = advanceHead(head, digest);
      return { ...head, history_id: id };
    });
    await sql`insert into history_links (number, hash, history_id) select number, hash, history_id from ${jsonToRows(
      tx,
      links,
      { number: 'integer', hash: 'text', history_id: 'integer' },
    )} l`.execute(tx);
  }
  await setHead(tx, head.number, head.hash);
}

const setHead = preparedQuery<never, [number: number, hash: string]>(
  () => sql`update history_head set number = ${0}, hash = ${''}`,
);

const findHead = preparedQuery<Head, []>((db) => sql`select number, hash from history_head ${forUpdate(db)}`);

/** Locks the head: other transactions with history entries cannot commit before this one ends. */
export async function lockHead(tx: Tx): Promise<Head> {
  const head = await findHead(tx);
  if (head !== undefined) return head;
  // The first entry ever. Another transaction may insert the head at the same time.
  await tx
    .insertInto('history_head')
    .values({ id: 1, ...EMPTY_HEAD })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await findHead(tx)) ?? EMPTY_HEAD;
}
