import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { searchTerms } from '../../domain/search-text.ts';
import { compileShapes } from '../db/compile-once.ts';
import type { Db } from '../db/schema.ts';
import type { Narrowing } from './list-filter.ts';
import { verify } from './list-walk.ts';

/**
 * A search reads a few stretches of the index of terms one after the other, the best matches first: the entries that
 * begin with its words side by side, then those of whoever else holds them all, found through the word that the fewest
 * hold. This is where it goes on: in which stretch, after which entry.
 */
export interface SearchPlace {
  /** The word that the last stretch begins with, once it has been reached. */
  word?: number | undefined;
  stretch: number;
  term: string;
  id: string;
}

export interface SearchPage {
  ids: string[];
  /** Undefined when all has been looked at. */
  next: SearchPlace | undefined;
  /** About how many there are in all, where `next` is there. */
  about: number;
  /** False where there may be many more than `about`. */
  isCounted: boolean;
}

/** Entries of one stretch that are counted; there are more of common beginnings in a large faculty. */
const COUNTED = 2000;
/** Entries of one statement at most, so that no statement holds up the others. */
const WINDOW = 1000;
/**
 * Entries looked at for one page once it has a row: the best matches are there at once, and the next page goes on from
 * there, looking further at a time. As long as there is none, many more are.
 */
const LOOKED_AT = { first: 150, later: 4000, withoutARow: 60_000 } as const;

const upTo = (prefix: string) => `${prefix}\u{10ffff}`;
const isIn = (term: string, prefix: string) => term.startsWith(prefix);

/** The word of a search that the fewest entries begin with, and how many do. */
export async function rarestWord(
  db: Db,
  words: readonly string[],
  most: number,
): Promise<{ word: number; entries: number }> {
  let rarest = { word: 0, entries: Number.POSITIVE_INFINITY };
  for (const [word, prefix] of words.entries()) {
    const entries = await countEntries(db, prefix, most);
    if (entries < rarest.entries) rarest = { word, entries };
  }
  return rarest;
}

/** The next students that a search finds, best matches first. */
export async function search(
  db: Db,
  narrowing: Narrowing,
  { after, except, limit }: { after: SearchPlace | undefined; except: string | undefined; limit: number },
): Promise<SearchPage> {
  const { words } = narrowing;
  const prefixes = phrases(words);
  const ids: string[] = [];
  let place: SearchPlace = after ?? { stretch: 0, term: '', id: '' };
  // Of the stretch that is being read, and of those before.
  let [looked, found, before] = [0, 0, 0];
  for (;;) {
    if (place.stretch === phrases(words).length && prefixes.length === place.stretch) {
      place = {
        ...place,
        word: place.word ?? (words.length > 1 ? (await rarestWord(db, words, COUNTED)).word : 0),
      };
      prefixes.push(words[place.word ?? 0] ?? '');
    }
    const prefix = prefixes[place.stretch];
    if (prefix === undefined) return { ids, next: undefined, about: ids.length, isCounted: true };
    const enough =
      ids.length === 0 ? LOOKED_AT.withoutARow : after === undefined ? LOOKED_AT.first : LOOKED_AT.later;
    // Mostly everyone looked at is found, so that little more than a page has to be read.
    const likely = limit - ids.length + 20;
    const size = Math.min(WINDOW, Math.max(likely, 3 * looked), Math.max(likely, enough - before - looked));
    const entries = await entriesOf(db, prefix, place, size);
    const texts = await verify(
      db,
      narrowing,
      entries.map(({ id }) => id),
    );
    for (const entry of entries) {
      looked += 1;
      const text = texts.get(entry.id);
      if (text === undefined || entry.id === except) continue;
      if (!isFirst(entry.term, text, prefixes.slice(0, place.stretch), prefix)) continue;
      ids.push(entry.id);
      found += 1;
      if (ids.length < limit) continue;
      const all = await countEntries(db, prefix, COUNTED);
      return {
        ids,
        next: { ...place, ...entry },
        about: ids.length - found + (all * found) / looked,
        isCounted: words.length === 1 && all < COUNTED,
      };
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < size) {
      place = { ...place, stretch: place.stretch + 1, term: '', id: '' };
      [looked, found, before] = [0, 0, before + looked];
    } else {
      place = { ...place, ...last };
    }
    // Past the last stretch the next turn says that all has been looked at.
    const isOver = place.stretch > phrases(words).length;
    if (!isOver && before + looked >= enough)
      return { ids, next: place, about: ids.length, isCounted: false };
    await setImmediate();
  }
}

/** Everyone whom a search finds through its rarest word, in no order of use. */
export async function searchAll(db: Db, narrowing: Narrowing, word: number): Promise<string[]> {
  const prefix = narrowing.words[word] ?? '';
  const found = new Set<string>();
  let place = { term: '', id: '' };
  for (;;) {
    const entries = await entriesOf(db, prefix, place, WINDOW);
    for (const id of (await verify(db, narrowing, [...new Set(entries.map(({ id }) => id))])).keys())
      found.add(id);
    const last = entries.at(-1);
    if (last === undefined || entries.length < WINDOW) return [...found];
    place = last;
    await setImmediate();
  }
}

/** The words side by side, going round: what names are indexed by. */
function phrases(words: readonly string[]): string[] {
  if (words.length < 2) return [];
  return words.map((_, i) => [...words.slice(i), ...words.slice(0, i)].join(' '));
}

/** A student is in the index many times, and to be found once: where the first of the entries that match is. */
function isFirst(term: string, text: string, earlier: readonly string[], prefix: string): boolean {
  // Most names hold the word of a search once, and taking them apart costs more than finding them.
  const begins = ` ${prefix}`;
  if (earlier.length === 0 && text.indexOf(begins) === text.lastIndexOf(begins)) return true;
  const own = searchTerms(text);
  if (own.some((other) => earlier.some((start) => isIn(other, start)))) return false;
  return !own.some((other) => isIn(other, prefix) && comesBefore(other, term));
}

/** In the order of the index, which is that of the bytes. */
const comesBefore = (a: string, b: string) => a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

interface Entry {
  term: string;
  id: string;
}

async function entriesOf(db: Db, prefix: string, after: Entry, limit: number): Promise<Entry[]> {
  return entriesQuery(db, null, {
    below: upTo(prefix),
    after_term: after.term === '' ? prefix : after.term,
    after_id: after.id,
    limit,
  });
}

const entriesQuery = compileShapes<Entry, null>(
  (_db, _shape, value) => sql`
    select term, student_id as id from student_terms
    where (term, student_id) > (${value('after_term')}, ${value('after_id')}) and term < ${value('below')}
    order by term, student_id limit ${value('limit')}`,
);

async function countEntries(db: Db, prefix: string, most: number): Promise<number> {
  const [row] = await countQuery(db, null, { from: prefix, below: upTo(prefix), limit: most });
  return Number(row?.entries ?? 0);
}

const countQuery = compileShapes<{ entries: number }, null>(
  (_db, _shape, value) => sql`
    select count(*) as entries from (
      select 1 as one from student_terms
      where term >= ${value('from')} and term < ${value('below')} limit ${value('limit')}) e`,
);
