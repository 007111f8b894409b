import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { searchTerms, wordForms } from '../../../domain/search-text.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { filterCandidates } from './candidates.ts';
import type { ParsedFilter } from './filter.ts';

/**
 * A search by relevance reads a few ranges ("stretches") of the term index one after the other, the best matches first: the
 * terms that begin with the words of the search as a phrase, in each rotation, then the terms that begin with its rarest
 * word, in each of its forms. This is the position where the next page continues: the stretch, and the last entry read.
 */
export interface SearchPosition {
  /** Index of the rarest word, which the last stretches begin with; undefined before these. */
  word?: number | undefined;
  stretch: number;
  term: string;
  id: string;
}

export interface SearchPage {
  ids: string[];
  /** Undefined after the last page. */
  next: SearchPosition | undefined;
  /** Estimate of all matches, where there is a next page. */
  about: number;
  /** False if there may be many more than `about`. */
  isCounted: boolean;
}

/** Counting the entries of a prefix stops here: common ones have far more. */
const MAX_COUNTED_ENTRIES = 2000;
/** Entries per statement, so that no statement delays other calls. */
const BATCH_SIZE = 1000;
/**
 * Entries scanned for one page: few for the first page, whose best matches come first, more for later ones, and many as long
 * as the page has no row at all.
 */
const SCAN_LIMITS = { firstPage: 150, laterPage: 4000, emptyPage: 60_000 } as const;

const prefixEnd = (prefix: string) => `${prefix}\u{10ffff}`;
const startsIn = (term: string, prefix: string) => term.startsWith(prefix);

/** The word of a search with the fewest entries, and how many; counts up to `most`. */
export async function rarestWord(
  db: Db,
  words: readonly string[],
  most: number,
): Promise<{ word: number; entries: number }> {
  let rarest = { word: 0, entries: Number.POSITIVE_INFINITY };
  for (const [word, text] of words.entries()) {
    const entries = await countWord(db, text, Math.min(most, rarest.entries));
    if (entries < rarest.entries) rarest = { word, entries };
  }
  return rarest;
}

/** The next students that a search finds, best matches first. */
export async function search(
  db: Db,
  filter: ParsedFilter,
  { after, except, limit }: { after: SearchPosition | undefined; except: string | undefined; limit: number },
): Promise<SearchPage> {
  const { words } = filter;
  const prefixes = phrases(words);
  const phraseCount = prefixes.length;
  const ids: string[] = [];
  let position: SearchPosition = after ?? { stretch: 0, term: '', id: '' };
  // Entries scanned and matches found in this stretch, and entries scanned in the stretches before.
  let [scanned, found, scannedBefore] = [0, 0, 0];
  // The first page has read all entries before an entry, so it knows who is listed.
  const listed = after === undefined ? new Set<string>() : undefined;
  let unbroken = 0;
  for (;;) {
    if (position.stretch >= phraseCount && prefixes.length === phraseCount) {
      position = {
        ...position,
        word:
          position.word ?? (words.length > 1 ? (await rarestWord(db, words, MAX_COUNTED_ENTRIES)).word : 0),
      };
      prefixes.push(...wordForms(words[position.word ?? 0] ?? ''));
    }
    const prefix = prefixes[position.stretch];
    if (prefix === undefined) return { ids, next: undefined, about: ids.length, isCounted: true };
    const scanLimit =
      ids.length === 0
        ? SCAN_LIMITS.emptyPage
        : after === undefined
          ? SCAN_LIMITS.firstPage
          : SCAN_LIMITS.laterPage;
    // Most entries are matches, so little more than a page has to be read.
    const likely = limit - ids.length + 20;
    const size = Math.min(
      BATCH_SIZE,
      Math.max(likely, 3 * scanned),
      Math.max(likely, scanLimit - scannedBefore - scanned),
    );
    const entries = await readEntries(db, prefix, position, size);
    const hasAllWords = words.length === 1 || position.stretch < phraseCount;
    const isMatch =
      listed !== undefined && hasAllWords && filter.conditions.length === 0
        ? (entry: Entry) => !listed.has(entry.id)
        : await testEntries(db, filter, entries, {
            listed,
            earlier: prefixes.slice(0, position.stretch),
            prefix,
          });
    for (const entry of entries) {
      scanned += 1;
      if (entry.id === except || !isMatch(entry)) continue;
      listed?.add(entry.id);
      ids.push(entry.id);
      found += 1;
      if (ids.length < limit) continue;
      const all = await countEntries(db, prefix, MAX_COUNTED_ENTRIES);
      return {
        ids,
        next: { ...position, ...entry },
        about: ids.length - found + (all * found) / scanned,
        isCounted:
          words.length === 1 && all < MAX_COUNTED_ENTRIES && position.stretch === prefixes.length - 1,
      };
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < size) {
      position = { ...position, stretch: position.stretch + 1, term: '', id: '' };
      [scanned, found, scannedBefore] = [0, 0, scannedBefore + scanned];
    } else {
      position = { ...position, ...last };
    }
    // After the last stretch the next iteration returns the end of the list.
    const isOver = prefixes.length > phraseCount && position.stretch >= prefixes.length;
    if (!isOver && scannedBefore + scanned >= scanLimit)
      return { ids, next: position, about: ids.length, isCounted: false };
    unbroken += entries.length;
    if (unbroken < BATCH_SIZE) continue;
    await setImmediate();
    unbroken = 0;
  }
}

/** Tests entries by the records of their students: all words, all conditions, and whether the student is listed before. */
async function testEntries(
  db: Db,
  filter: ParsedFilter,
  entries: readonly Entry[],
  {
    listed,
    earlier,
    prefix,
  }: { listed: ReadonlySet<string> | undefined; earlier: readonly string[]; prefix: string },
): Promise<(entry: Entry) => boolean> {
  const unlisted = entries.map(({ id }) => id).filter((id) => !listed?.has(id));
  const texts = await filterCandidates(db, filter, unlisted);
  return ({ term, id }) => {
    const text = texts.get(id);
    if (text === undefined) return false;
    return listed === undefined ? isFirst(term, text, earlier, prefix) : !listed.has(id);
  };
}

/** The ids of all matches of a search, found through one of its words, in no useful order. */
export async function findAllMatches(db: Db, filter: ParsedFilter, word: number): Promise<string[]> {
  const found = new Set<string>();
  const isProven = filter.words.length === 1 && filter.conditions.length === 0;
  for (const prefix of wordForms(filter.words[word] ?? '')) {
    let position: Entry | undefined = { term: '', id: '' };
    while (position !== undefined) {
      const entries = await readEntries(db, prefix, position, BATCH_SIZE);
      const ids = entries.map((entry) => entry.id).filter((id) => !found.has(id));
      for (const id of isProven ? ids : (await filterCandidates(db, filter, ids)).keys()) found.add(id);
      position = entries.length < BATCH_SIZE ? undefined : entries.at(-1);
      await setImmediate();
    }
  }
  return [...found];
}

/** The words as one phrase in each rotation (`a b`, `b a`), as names are indexed. */
function phrases(words: readonly string[]): string[] {
  if (words.length < 2) return [];
  return words.map((_, i) => [...words.slice(i), ...words.slice(0, i)].join(' '));
}

/** A student has many entries but is listed once: at the first entry that matches. */
function isFirst(term: string, text: string, earlier: readonly string[], prefix: string): boolean {
  // Fast path: most texts have the word once, and splitting them costs more than this test.
  const begins = ` ${prefix}`;
  if (earlier.length === 0 && text.indexOf(begins) === text.lastIndexOf(begins)) return true;
  const own = searchTerms(text);
  if (own.some((other) => earlier.some((start) => startsIn(other, start)))) return false;
  return !own.some((other) => startsIn(other, prefix) && isBefore(other, term));
}

/** In the order of the index: byte by byte. */
const isBefore = (a: string, b: string) => a !== b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

interface Entry {
  term: string;
  id: string;
}

async function readEntries(db: Db, prefix: string, after: Entry, limit: number): Promise<Entry[]> {
  return entriesQuery(db, null, {
    below: prefixEnd(prefix),
    after_term: after.term === '' ? prefix : after.term,
    after_id: after.id,
    limit,
  });
}

const entriesQuery = preparedQueryVariants<Entry, null>(
  (_db, _shape, value) => sql`
    select term, student_id as id from student_terms
    where (term, student_id) > (${value('after_term')}, ${value('after_id')}) and term < ${value('below')}
    order by term, student_id limit ${value('limit')}`,
);

/** The entries of a word in all of its forms; counts up to `most`. */
async function countWord(db: Db, word: string, most: number): Promise<number> {
  let entries = 0;
  for (const form of wordForms(word)) entries += await countEntries(db, form, most - entries);
  return entries;
}

async function countEntries(db: Db, prefix: string, most: number): Promise<number> {
  const [row] = await countQuery(db, null, { from: prefix, below: prefixEnd(prefix), limit: most });
  return Number(row?.entries ?? 0);
}

const countQuery = preparedQueryVariants<{ entries: number }, null>(
  (_db, _shape, value) => sql`
    select count(*) as entries from (
      select 1 as one from student_terms
      where term >= ${value('from')} and term < ${value('below')} limit ${value('limit')}) e`,
);
