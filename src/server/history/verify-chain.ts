import type { Selectable } from 'kysely';
import type { Db, Schema } from '../db/schema.ts';
import { advanceHead, EMPTY_HEAD, type Entry, entryDigest, type Head } from './chain.ts';

/** Entries per query. */
const PAGE_SIZE = 500;

export interface ChainVerification {
  /** The last link that is intact. */
  head: Head;
  /** Entries that are not linked yet, each as it was written. */
  pending: number;
  /** Description of the first fault; undefined if there is none. */
  fault?: string;
}

type Link = Selectable<Schema['history_links']>;

/**
 * Verifies the whole history against the chain and finds the first fault. Other transactions can write at the same time.
 *
 * @param noted a head noted earlier, which must still be in the chain. Anyone with access to the database can compute a new
 *   chain, but not one that contains it.
 */
export async function verifyChain(db: Db, noted?: Head): Promise<ChainVerification> {
  let head = EMPTY_HEAD;
  const requireNoted = () => {
    if (head.number !== noted?.number || head.hash === noted.hash) return;
    throw new Fault(`Number ${head.number} of the chain is not the noted one: the chain has been rebuilt.`);
  };
  try {
    requireNoted();
    for (let isAtEnd = false; !isAtEnd; ) {
      const { number: least } = await readHead(db);
      for await (const [link, entry] of linkedEntries(db, head.number)) {
        head = nextHead(head, link, entry);
        requireNoted();
      }
      if (head.number < least) throw cutOff(head, least);
      // Entries written in the meantime are read in another round.
      isAtEnd = isHead(await readHead(db), head);
    }
    if (noted !== undefined && head.number < noted.number) throw cutOff(head, noted.number);
    return { head, pending: await countPending(db) };
  } catch (error) {
    if (error instanceof Fault) return { head, pending: 0, fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

/** The stored head, which an administrator can note. */
export async function readHead(db: Db): Promise<Head> {
  const head = await db.selectFrom('history_head').select(['number', 'hash']).executeTakeFirst();
  return head ?? EMPTY_HEAD;
}

/** The links after a number, each with its entry, if it exists. */
async function* linkedEntries(db: Db, after: number): AsyncGenerator<[Link, Entry | undefined]> {
  for (let last = after; ; ) {
    const links = await db
      .selectFrom('history_links')
      .selectAll()
      .where('number', '>', last)
      .orderBy('number')
      .limit(PAGE_SIZE)
      .execute();
    const end = links.at(-1);
    if (end === undefined) return;
    const ids = links.map(({ history_id }) => history_id);
    const entries = await db.selectFrom('history').selectAll().where('id', 'in', ids).execute();
    const entryById = new Map(entries.map((entry) => [entry.id, entry]));
    for (const link of links) yield [link, entryById.get(link.history_id)];
    last = end.number;
  }
}

function nextHead(head: Head, link: Link, entry: Entry | undefined): Head {
  const number = head.number + 1;
  if (link.number !== number) throw new Fault(`Number ${number} of the chain has been removed.`);
  if (entry === undefined) {
    throw new Fault(`Entry ${link.history_id}, number ${number} of the chain, has been removed.`);
  }
  const next = advanceHead(head, entryDigest(entry));
  if (next.hash !== link.hash) {
    throw new Fault(
      `Entry ${entry.id}, number ${number} of the chain, is not what was written there: it has been changed, or others have taken its place.`,
    );
  }
  return next;
}

const cutOff = ({ number }: Head, length: number) =>
  new Fault(
    `Number ${number + 1} of the chain, which was ${length} long, and all after it have been removed.`,
  );

/** Whether the stored head is the computed one. A later stored head means that entries have been added. */
function isHead(stored: Head, head: Head): boolean {
  if (stored.number > head.number) return false;
  if (stored.number === head.number && stored.hash === head.hash) return true;
  throw new Fault(
    `The head of the chain, number ${stored.number}, does not fit the chain, which is ${head.number} long.`,
  );
}

/**
 * An entry is stored together with its link, or as pending together with its digest. One without either was not written by SIMS.
 *
 * @returns the number of pending entries
 */
async function countPending(db: Db): Promise<number> {
  let count = 0;
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('history')
      .leftJoin('history_links', 'history_links.history_id', 'history.id')
      .leftJoin('history_pending', 'history_pending.history_id', 'history.id')
      .select(['history.id', 'history_links.number', 'history_pending.digest'])
      .where('history.id', '>', last)
      .orderBy('history.id')
      .limit(PAGE_SIZE * 10)
      .execute();
    for (const { id, number, digest } of page) {
      if (number === null) {
        await requirePending(db, id, digest);
        count += 1;
      } else if (digest !== null) throw new Fault(`Entry ${id} is in the chain and noted as not in it yet.`);
    }
    const end = page.at(-1);
    if (end === undefined) break;
    last = end.id;
  }
  const removed = await db
    .selectFrom('history_pending')
    .leftJoin('history', 'history.id', 'history_id')
    .select('history_id')
    .where('history.id', 'is', null)
    .orderBy('history_id')
    .limit(1)
    .executeTakeFirst();
  if (removed !== undefined)
    throw new Fault(`Entry ${removed.history_id}, not in the chain yet, has been removed.`);
  return count;
}

async function requirePending(db: Db, id: number, digest: string | null): Promise<void> {
  if (digest === null) throw new Fault(`Entry ${id} has been inserted: it is not in the chain.`);
  const entry = await db.selectFrom('history').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (entryDigest(entry) !== digest) {
    throw new Fault(`Entry ${id}, not in the chain yet, is not what was written there.`);
  }
}
