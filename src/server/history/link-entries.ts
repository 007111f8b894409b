import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { linkedAtOnce, listedRows, locked } from '../db/dialect.ts';
import type { Tx } from '../db/schema.ts';
import { digestOf, EMPTY, type Entry, type Head, headAfter } from './chain.ts';

/** Links made in one go: as many as take a few milliseconds. */
const PIECE = 1_000;

/** All that a link needs of its entry, which may be large. */
interface Unlinked {
  id: number;
  digest: string;
}

const unlinked = new WeakMap<Tx, Unlinked[]>();

/** Has an entry that has just been stored linked to the chain at the end of its transaction. */
export function linkLater(tx: Tx, entry: Entry): void {
  const waiting = unlinked.get(tx) ?? [];
  waiting.push({ id: entry.id, digest: digestOf(entry) });
  unlinked.set(tx, waiting);
}

/**
 * Links the entries that a transaction has stored, in their order. It comes last in the transaction: whoever has the head
 * of the chain lets no other transaction end, and waits for none itself, so that nothing can lock up.
 */
export async function linkEntries(tx: Tx): Promise<void> {
  const entries = unlinked.get(tx) ?? [];
  if (entries.length === 0) return;
  unlinked.delete(tx);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && (await linkedAtOnce(tx, first))) return;
  let head = await holdHead(tx);
  for (let i = 0; i < entries.length; i += PIECE) {
    if (i > 0) await setImmediate();
    const links = entries.slice(i, i + PIECE).map(({ id, digest }) => {
      head = headAfter(head, digest);
      return { ...head, history_id: id };
    });
    await sql`insert into history_links (number, hash, history_id) select number, hash, history_id from ${listedRows(
      tx,
      links,
      { number: 'integer', hash: 'text', history_id: 'integer' },
    )} l`.execute(tx);
  }
  await tx.updateTable('history_head').set(head).execute();
}

async function holdHead(tx: Tx): Promise<Head> {
  const select = () =>
    locked(tx, tx.selectFrom('history_head').select(['number', 'hash'])).executeTakeFirst();
  const head = await select();
  if (head !== undefined) return head;
  // The first entry of all. Another transaction may be at it too.
  await tx
    .insertInto('history_head')
    .values({ id: 1, ...EMPTY })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await select()) ?? EMPTY;
}
