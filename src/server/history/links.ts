import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { forUpdate } from '../db/dialect/locks.ts';
import { preparedChange, preparedQuery, preparedRowsChange } from '../db/prepared-query.ts';
import type { Db, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { advanceHead, EMPTY_HEAD, type Entry, entryDigest, type Head } from './chain.ts';

/**
 * Links entries to the chain, which locks its head until the commit: transactions that do so commit one after another. A
 * transaction links its entries itself ({@link linkEntries}), or stores them as pending ({@link deferLinks}), to be linked
 * together with others after its commit ({@link linkPending}).
 */

/** The columns of an entry that its link needs. */
interface Unlinked {
  history_id: number;
  digest: string;
}

/** Links per batch: as many as take a few milliseconds. */
const BATCH_SIZE = 1_000;

const DIGEST_BYTES = 32;

/** The new entries of a transaction. There may be a hundred thousand of them, so little is kept of each. */
class NewEntries {
  readonly #ids: number[] = [];
  #digests = Buffer.alloc(DIGEST_BYTES);

  add(entry: Entry): void {
    const at = this.#ids.length * DIGEST_BYTES;
    if (at === this.#digests.length) this.#digests = Buffer.concat([this.#digests], 2 * at);
    this.#digests.write(entryDigest(entry), at, 'hex');
    this.#ids.push(entry.id);
  }

  *batches(): Generator<Unlinked[]> {
    for (let start = 0; start < this.#ids.length; start += BATCH_SIZE) {
      yield this.#ids.slice(start, start + BATCH_SIZE).map((history_id, i) => {
        const at = (start + i) * DIGEST_BYTES;
        return { history_id, digest: this.#digests.toString('hex', at, at + DIGEST_BYTES) };
      });
    }
  }
}

const newEntries = new WeakMap<Tx, NewEntries>();

/** Registers an entry that the transaction has stored, to be linked or deferred at its end. */
export function addUnlinked(tx: Tx, entry: Entry): void {
  const entries = newEntries.get(tx) ?? new NewEntries();
  entries.add(entry);
  newEntries.set(tx, entries);
}

/** The registered entries, in batches with a pause in between. */
async function* takeUnlinked(tx: Tx): AsyncGenerator<Unlinked[]> {
  const entries = newEntries.get(tx);
  newEntries.delete(tx);
  let isFirst = true;
  for (const batch of entries?.batches() ?? []) {
    if (!isFirst) await setImmediate();
    isFirst = false;
    yield batch;
  }
}

/**
 * Links the new entries of a transaction. Must be its last step: others wait for the head, and a transaction that waits for no
 * further lock can't cause a deadlock.
 */
export async function linkEntries(tx: Tx): Promise<void> {
  for await (const batch of takeUnlinked(tx)) await link(tx, await lockHead(tx), batch);
}

const deferring = new WeakSet<Tx>();

/** Lets a transaction store its entries as pending, with their digests: it waits for no other transaction. */
export const deferLinks = (tx: Tx): void => void deferring.add(tx);

/** Whether a single entry is stored as pending by the statement that stores it. */
export const isDeferring = (tx: Tx): boolean => deferring.has(tx);

/** Stores the registered entries of a transaction as pending. */
export async function deferEntries(tx: Tx): Promise<void> {
  for await (const batch of takeUnlinked(tx)) await insertPending(tx, batch);
}

const insertPending = preparedRowsChange<keyof Unlinked>(
  { history_id: 'integer', digest: 'text' },
  (_, rows) => sql`insert into history_pending (history_id, digest) select history_id, digest from ${rows} l`,
);

/**
 * Links every pending entry that was committed before this call, and perhaps later ones, in the order of their ids. Any number
 * of processes may do so at once: they wait for each other at the head.
 */
export async function linkPending(db: Db): Promise<void> {
  while (await hasPending(db)) await retryTransaction(db, linkNextPending);
}

/** {@link linkPending} within a transaction. */
export async function linkPendingIn(tx: Tx): Promise<void> {
  while (await hasPending(tx)) await linkNextPending(tx);
}

const findPending = preparedQuery<{ history_id: number }, []>(
  () => sql`select history_id from history_pending limit 1`,
);

const hasPending = async (db: Db) => (await findPending(db)) !== undefined;

/** Links the next batch of what is pending. */
export async function linkNextPending(tx: Tx): Promise<void> {
  const head = await lockHead(tx);
  const pending = await tx
    .deleteFrom('history_pending')
    .where('history_id', 'in', (eb) =>
      eb.selectFrom('history_pending').select('history_id').orderBy('history_id').limit(BATCH_SIZE),
    )
    .returningAll()
    .execute();
  const inOrder = pending.toSorted((a, b) => a.history_id - b.history_id);
  await link(tx, head, inOrder);
}

/** @param head locked by this transaction */
async function link(tx: Tx, head: Head, entries: readonly Unlinked[]): Promise<void> {
  if (entries.length === 0) return;
  let last = head;
  const links = entries.map(({ history_id, digest }) => {
    last = advanceHead(last, digest);
    return { ...last, history_id };
  });
  await insertLinks(tx, links);
  await setHead(tx, last.number, last.hash);
}

const insertLinks = preparedRowsChange(
  { number: 'integer', hash: 'text', history_id: 'integer' },
  (_, rows) =>
    sql`insert into history_links (number, hash, history_id) select number, hash, history_id from ${rows} l`,
);

const setHead = preparedChange<[number: number, hash: string]>(
  () => sql`update history_head set number = ${0}, hash = ${''}`,
);

const findHead = preparedQuery<Head, []>((db) => sql`select number, hash from history_head ${forUpdate(db)}`);

/** Locks the head until the end of the transaction. */
async function lockHead(tx: Tx): Promise<Head> {
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
