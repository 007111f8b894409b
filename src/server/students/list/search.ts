import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { phraseForms, searchTerms, termForms } from '../../../domain/search-text.ts';
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
 * terms that begin with the words of the search as a phrase, see `phraseForms`, then the terms that begin with its rarest
 * word, see `termForms`. This is the position where the next page continues: the stretch, and the last entry read.
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
  /** All matches, where all have been read. */
  total?: number;
  /** Estimate of all matches, where there is a next page. */
  about?: number;
  /** False if there may be many more than `about`. */
  isCounted?: boolean;
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
  most = MAX_COUNTED_ENTRIES,
): Promise<{ word: number; entries: number }> {
  let rarest = { word: 0, entries: Number.POSITIVE_INFINITY };
  for (const [word, text] of words.entries()) {
    const entries = await countWord(db, text, Math.min(most, rarest.entries));
    if (entries < rarest.entries) rarest = { word, entries };
  }
  return rarest;
}

export interface SearchRequest {
  after: SearchPosition | undefined;
  /** The id of a student who is left out. */
  except: string | undefined;
  limit: number;
}

/** The next students that a search finds, best matches first. */
export async function search(db: Db, filter: ParsedFilter, request: SearchRequest): Promise<SearchPage> {
  const { words } = filter;
  const phrases = phraseForms(words);
  const page = new PageOfMatches(db, filter, request, phrases.length);
  const ofPhrases = await page.readStretches(phrases);
  if (ofPhrases !== undefined) return ofPhrases;
  if (page.isSpent) return page.endHere();
  let word = words.length === 1 ? 0 : page.position.word;
  if (word === undefined) {
    // Few of the entries of common words are matches: the next page tests more of them than the first may.
    const mayEnd = request.after === undefined && page.ids.length > 0;
    const most = mayEnd ? SCAN_LIMITS.firstPage : MAX_COUNTED_ENTRIES;
    const rarest = await rarestWord(db, words, most);
    if (mayEnd && rarest.entries >= most) return page.endHere();
    word = rarest.word;
  }
  page.position = { ...page.position, word };
  const ofWord = await page.readStretches([...phrases, ...termForms(words[word] ?? '')]);
  return ofWord ?? { ids: page.ids, next: undefined };
}

/** A page of a search while its stretches are read. */
class PageOfMatches {
  readonly ids: string[] = [];
  /** Up to which entry the stretches are read. */
  position: SearchPosition;
  /** Whether the page ends before the next stretch, full or not, since enough entries are scanned. */
  isSpent = false;
  /** Entries scanned in the stretches before this one. */
  #scannedBefore = 0;
  /** Entries scanned since other calls had their turn. */
  #unbroken = 0;
  /** The first page has read all entries before an entry, so it knows who is listed. */
  readonly #listed: Set<string> | undefined;
  readonly #db: Db;
  readonly #filter: ParsedFilter;
  readonly #request: SearchRequest;
  /** How many stretches are those of a phrase. */
  readonly #phrases: number;

  constructor(db: Db, filter: ParsedFilter, request: SearchRequest, phrases: number) {
    this.position = request.after ?? { stretch: 0, term: '', id: '' };
    this.#listed = request.after === undefined ? new Set() : undefined;
    this.#db = db;
    this.#filter = filter;
    this.#request = request;
    this.#phrases = phrases;
  }

  /** Reads the stretches of these prefixes from the position on; returns the page if it ends in one of them. */
  async readStretches(prefixes: readonly string[]): Promise<SearchPage | undefined> {
    for (;;) {
      const { stretch } = this.position;
      const prefix = prefixes[stretch];
      if (prefix === undefined) return undefined;
      if (this.isSpent) return this.endHere();
      const page = await this.#readStretch(prefix, prefixes.slice(0, stretch), prefixes.slice(stretch + 1));
      if (page !== undefined) return page;
      this.position = { ...this.position, stretch: stretch + 1, term: '', id: '' };
    }
  }

  /** The page as far as it is read; the next one goes on there. */
  endHere(): SearchPage {
    return { ids: this.ids, next: this.position, about: this.ids.length, isCounted: false };
  }

  async #readStretch(
    prefix: string,
    earlier: readonly string[],
    later: readonly string[],
  ): Promise<SearchPage | undefined> {
    const { ids } = this;
    const { words, conditions } = this.#filter;
    const { limit, except } = this.#request;
    const hasAllWords = words.length === 1 || this.position.stretch < this.#phrases;
    const isProven = this.#listed !== undefined && hasAllWords && conditions.length === 0;
    let [scanned, found] = [0, 0];
    for (;;) {
      const scanLimit = this.#scanLimit();
      const size = this.#batchSize(scanned, scanLimit, hasAllWords);
      const entries = await readEntries(
        this.#db,
        isProven ? undefined : this.#filter,
        prefix,
        this.position,
        size,
      );
      for (const entry of entries) {
        scanned += 1;
        if (entry.id === except || !this.#isNew(entry, prefix, earlier)) continue;
        this.#listed?.add(entry.id);
        ids.push(entry.id);
        found += 1;
        if (ids.length < limit) continue;
        const all = await countEntries(this.#db, prefix, MAX_COUNTED_ENTRIES);
        // Entries of several words are mostly of students who lack one of them.
        const more = words.length === 1 ? await this.#countMore(later, MAX_COUNTED_ENTRIES - all) : 0;
        return {
          ids,
          next: { ...this.position, term: entry.term, id: entry.id },
          about: ids.length - found + (all * found) / scanned + more,
          isCounted: words.length === 1 && all + more < MAX_COUNTED_ENTRIES,
        };
      }
      this.isSpent = this.#scannedBefore + scanned >= scanLimit;
      await this.#letOthersRun(entries.length);
      const last = entries.at(-1);
      if (last === undefined || entries.length < size) {
        this.#scannedBefore += scanned;
        return undefined;
      }
      this.position = { ...this.position, term: last.term, id: last.id };
      if (this.isSpent) return this.endHere();
    }
  }

  /** The entries of further stretches; counts up to `most`. */
  async #countMore(prefixes: readonly string[], most: number): Promise<number> {
    let entries = 0;
    for (const prefix of prefixes)
      if (entries < most) entries += await countEntries(this.#db, prefix, most - entries);
    return entries;
  }

  #scanLimit(): number {
    if (this.ids.length === 0) return SCAN_LIMITS.emptyPage;
    return this.#listed === undefined ? SCAN_LIMITS.laterPage : SCAN_LIMITS.firstPage;
  }

  #batchSize(scanned: number, scanLimit: number, hasAllWords: boolean): number {
    // Most entries of all words are matches, so little more than a page has to be read.
    const aPage = this.#request.limit - this.ids.length + 20;
    const likely = hasAllWords ? aPage : Math.max(aPage, SCAN_LIMITS.firstPage - this.#scannedBefore);
    const left = scanLimit - this.#scannedBefore - scanned;
    return Math.min(BATCH_SIZE, Math.max(likely, 3 * scanned), Math.max(likely, left));
  }

  /** Whether the student of an entry matches and is not listed before it. */
  #isNew({ term, id, text }: TestedEntry, prefix: string, earlier: readonly string[]): boolean {
    if (text === null) return false;
    return this.#listed === undefined ? isFirst(term, text, earlier, prefix) : !this.#listed.has(id);
  }

  async #letOthersRun(scanned: number): Promise<void> {
    this.#unbroken += scanned;
    if (this.#unbroken < BATCH_SIZE) return;
    await setImmediate();
    this.#unbroken = 0;
  }
}

/** The ids of all matches of a search, found through one of its words, in no useful order. */
export async function findAllMatches(db: Db, filter: ParsedFilter, word: number): Promise<string[]> {
  const found = new Set<string>();
  const isProven = filter.words.length === 1 && filter.conditions.length === 0;
  for (const prefix of termForms(filter.words[word] ?? '')) {
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

/** A student has many entries but is listed once: at the first entry that matches. */
function isFirst(term: string, text: string, earlier: readonly string[], prefix: string): boolean {
  // Fast path: most texts have the word once, and splitting them costs more than this test.
  const begins = ` ${prefix}`;
  if (earlier.length === 0 && text.indexOf(begins) === text.lastIndexOf(begins)) return true;
  const own = searchTerms(text);
  if (own.some((other) => earlier.some((start) => startsIn(other, start)))) return false;
  return !own.some((other) => startsIn(other, prefix) && isBefore(other, term));
}

/** Compares entries in the order of the index: byte by byte. */
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

/** Tests of the student of an entry. */
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
  for (const form of termForms(word)) entries += await countEntries(db, form, most - entries);
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
