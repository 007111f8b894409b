import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { searchTerms, wordForms } from '../../../domain/search-text.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import {
  type Condition,
  countForms,
  filterConditions,
  matchesWords,
  type ParsedFilter,
  wordValues,
} from './filter.ts';

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
      let word = words.length === 1 ? 0 : position.word;
      if (word === undefined) {
        // Few of the entries of common words are matches: the next page tests more of them than the first may.
        const mayEnd = after === undefined && ids.length > 0;
        const most = mayEnd ? SCAN_LIMITS.firstPage : MAX_COUNTED_ENTRIES;
        const rarest = await rarestWord(db, words, most);
        if (mayEnd && rarest.entries >= most)
          return { ids, next: position, about: ids.length, isCounted: false };
        word = rarest.word;
      }
      position = { ...position, word };
      prefixes.push(...wordForms(words[word] ?? ''));
    }
    const prefix = prefixes[position.stretch];
    if (prefix === undefined) return { ids, next: undefined, about: ids.length, isCounted: true };
    const scanLimit =
      ids.length === 0
        ? SCAN_LIMITS.emptyPage
        : after === undefined
          ? SCAN_LIMITS.firstPage
          : SCAN_LIMITS.laterPage;
    const hasAllWords = words.length === 1 || position.stretch < phraseCount;
    // Most entries of all words are matches, so little more than a page has to be read.
    const aPage = limit - ids.length + 20;
    const likely = hasAllWords ? aPage : Math.max(aPage, SCAN_LIMITS.firstPage - scannedBefore);
    const size = Math.min(
      BATCH_SIZE,
      Math.max(likely, 3 * scanned),
      Math.max(likely, scanLimit - scannedBefore - scanned),
    );
    const isProven = listed !== undefined && hasAllWords && filter.conditions.length === 0;
    const entries = await readEntries(db, isProven ? undefined : filter, prefix, position, size);
    const earlier = prefixes.slice(0, position.stretch);
    const isMatch = ({ term, id, text }: TestedEntry) =>
      text !== null && (listed === undefined ? isFirst(term, text, earlier, prefix) : !listed.has(id));
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
        next: { ...position, term: entry.term, id: entry.id },
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
      position = { ...position, term: last.term, id: last.id };
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

/** The ids of all matches of a search, found through one of its words, in no useful order. */
export async function findAllMatches(db: Db, filter: ParsedFilter, word: number): Promise<string[]> {
  const found = new Set<string>();
  const isProven = filter.words.length === 1 && filter.conditions.length === 0;
  for (const prefix of wordForms(filter.words[word] ?? '')) {
    let position: Entry | undefined = { term: '', id: '' };
    while (position !== undefined) {
      const entries: TestedEntry[] = await readEntries(
        db,
        isProven ? undefined : filter,
        prefix,
        position,
        BATCH_SIZE,
      );
      for (const { id, text } of entries) if (text !== null) found.add(id);
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

interface TestedEntry extends Entry {
  /** The `search_text` of a student who matches; null for others, empty if none was tested. */
  text: string | null;
}

/** The next entries of a prefix, and which of their students have all words and meet all conditions of a filter, if there is one. */
async function readEntries(
  db: Db,
  filter: ParsedFilter | undefined,
  prefix: string,
  after: Entry,
  limit: number,
): Promise<TestedEntry[]> {
  const range = {
    below: prefixEnd(prefix),
    after_term: after.term === '' ? prefix : after.term,
    after_id: after.id,
    limit,
  };
  if (filter === undefined) return entriesQuery(db, null, range);
  const { words, conditions, values } = filter;
  return entriesQuery(
    db,
    { words: countForms(words), conditions },
    { ...range, ...values, ...wordValues(words) },
  );
}

/** What is tested of the student of an entry. */
interface Tests {
  words: readonly number[];
  conditions: readonly Condition[];
}

const entriesQuery = preparedQueryVariants<TestedEntry, Tests | null>((db, tests, value) => {
  const text =
    tests === null
      ? sql`''`
      : sql`(select s.search_text from students s where s.id = t.student_id
          and ${filterConditions(tests.conditions, value)} and ${matchesWords(db, tests.words, value)})`;
  return sql`
    select term, student_id as id, ${text} as text from student_terms t
    where (term, student_id) > (${value('after_term')}, ${value('after_id')}) and term < ${value('below')}
    order by term, student_id limit ${value('limit')}`;
});

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
