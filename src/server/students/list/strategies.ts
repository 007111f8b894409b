import { wordBits } from '../../../domain/search-text.ts';
import type { Db } from '../../db/schema.ts';
import { isStudentId } from '../queries.ts';
import { fetchAndSort, fetchAndSortByIds, filterCandidates } from './candidates.ts';
import { type Counts, countMatching, smallestSource } from './counts.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { ParsedFilter } from './filter.ts';
import { type ScanLimits, scanForWords, type WordScan } from './index-scan.ts';
import { type ListRange, type ReadOrder, type RowPosition, readParts } from './order-ranges.ts';
import { findAllMatches, rarestWord, type SearchPage, search } from './search.ts';
import { searchCandidates } from './search-candidates.ts';
import {
  cursorPosition,
  type IdPage,
  orderCursor,
  orderedPage,
  type PageRequest,
  type TotalCount,
} from './sort.ts';

/*
 * Which strategy produces a page (`findPage` in list-page.ts chooses):
 *
 *   search words?  sort given?                                     strategy
 *   no             –            many matches                       scanIndex        follow the index of the order
 *   no             –            few matches, far apart in it       fetchAndSort     fetch all matches, sort them
 *   yes            yes          rarest word has few entries        searchInOrder    find all matches, sort them
 *   yes            yes          filters match few, far apart       searchInOrder    test all of these, sort them
 *   yes            yes          all words are common               searchInOrder    scan the order for the words
 *   yes            no           filters match < SMALL_SET_LIMIT    searchCandidates test all of these, sort them alike
 *   yes            no           else                               search           follow the index of terms
 *
 * "Few" and "many" come from the counts per cohort (counts.ts) and from counting the entries of a word up to a limit, so
 * choosing costs a few milliseconds at any number of students. docs/decisions/010 has the measurements.
 */

/** With fewer students than this left by the filters, a search tests each of them for its words. */
const SMALL_SET_LIMIT = 3000;

/**
 * A search with the best matches first: the student with exactly this ID, then in the order of the term index. Either strategy
 * continues a page of the other.
 */
export async function searchByRelevance(
  db: Db,
  filter: ParsedFilter,
  q: string,
  { limit, cursor }: PageRequest,
): Promise<IdPage> {
  const after = decodeCursor(cursor, 'relevance');
  const exact = await findExactId(db, filter, q);
  const first = exact !== undefined && after === undefined ? [exact] : [];
  const rest = limit - first.length;
  const request = { after, except: exact, limit: Math.max(1, rest) };
  // A small set has been counted exactly by its first page.
  const isLarge = filter.conditions.length === 0 || (after !== undefined && after.total_is !== 'exact');
  const counts = isLarge ? undefined : await countMatching(db, filter);
  const [source, candidates] = counts === undefined ? [undefined, 0] : smallestSource(counts);
  const page =
    source !== undefined && candidates < SMALL_SET_LIMIT
      ? await searchCandidates(db, filter, source, request)
      : await search(db, filter, request);
  const { total, total_is } = after ?? toTotal(first.length, page, counts);
  // With a limit of 1 the exact ID fills the page, so the next page starts the search from its beginning.
  const next = rest > 0 ? page.next : page.ids.length > 0 ? { stretch: 0, term: '', id: '' } : undefined;
  return {
    total,
    total_is,
    ids: [...first, ...page.ids.slice(0, rest)],
    next_cursor: next === undefined ? null : encodeCursor({ by: 'relevance', ...next, total, total_is }),
  };
}

/**
 * How many students a search finds, estimated from its first page; never more than match the filters.
 *
 * @param known rows that are listed besides those of the page
 */
function toTotal(known: number, page: SearchPage, counts: Counts | undefined): TotalCount {
  const { ids, next, total, about = 0, isCounted = false } = page;
  if (total !== undefined) return { total: known + total, total_is: 'exact' };
  const found = known + ids.length;
  if (next === undefined) return { total: found, total_is: 'exact' };
  const most = Math.min(counts?.matching.students ?? Number.POSITIVE_INFINITY, twoFigures(about));
  return { total: Math.max(found, most), total_is: isCounted ? 'estimate' : 'minimum' };
}

/** Rounded down to two significant figures; an estimate has no more. */
function twoFigures(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.floor(count / unit) * unit;
}

/** The student with exactly this ID, if the filter matches. */
async function findExactId(db: Db, filter: ParsedFilter, q: string): Promise<string | undefined> {
  if (!isStudentId(q)) return undefined;
  return (await filterCandidates(db, { ...filter, words: [] }, [q])).has(q) ? q : undefined;
}

/** Most entries of the rarest word for which a sorted search finds and sorts all matches. */
const MAX_SORTED_ENTRIES = 20_000;
/** Most rows of the index that it reads for a page when it scans the order instead. */
const SCAN_LIMITS: ScanLimits = { some: 400_000, empty: 2_000_000 };
/** With fewer entries of a word or fewer students left by the filters, the total is exact. */
const EXACT_TOTAL_LIMIT = 1000;

/** Finding and fetching a student costs as much as scanning this many entries of an index for the bits of words. */
const FETCH_COST = 8;

/** The same for these words. Without bits, the scan fetches each student. */
const fetchCost = ({ words }: ParsedFilter) => (wordBits(words) === 0 ? 1 : FETCH_COST);

/**
 * Up to how many entries of the rarest word it is cheaper to find and sort all matches than to scan the order. For one word
 * with `entries` among `n` students, of whom a filter leaves one in `k`, a scan reads about `limit * n * k / entries` rows of
 * the index per page. That costs as much as `entries` students at the geometric mean. For several words the number of common
 * matches is unknown.
 */
function maxEntriesToSort(filter: ParsedFilter, { matching, inBranches }: Counts, limit: number): number {
  if (filter.words.length > 1) return MAX_SORTED_ENTRIES;
  const rowsPerMatch = inBranches / Math.max(1, matching.students);
  const breakEven = Math.ceil(Math.sqrt((limit * inBranches * rowsPerMatch) / fetchCost(filter)));
  return Math.min(MAX_SORTED_ENTRIES, Math.max(EXACT_TOTAL_LIMIT, breakEven));
}

/** The next rows of an order among these matches: scans the order if they are so many that this is cheaper than sorting all. */
async function sortMatches(
  db: Db,
  ids: readonly string[],
  range: ListRange,
  counts: Counts,
): Promise<RowPosition[]> {
  const mostRows = ids.length * fetchCost(range.filter);
  if ((range.limit * counts.inBranches) / Math.max(1, ids.length) <= mostRows) {
    const { matches, end } = await scanForWords(db, range, counts, { some: mostRows, empty: mostRows });
    if (end === undefined || matches.length >= range.limit) return matches;
    // The matches are far apart in this order.
  }
  return fetchAndSortByIds(db, ids, range);
}

/** A search in a chosen order: sorts all matches, or scans the order if the words are so common that a page fills soon. */
export async function searchInOrder(
  db: Db,
  filter: ParsedFilter,
  order: ReadOrder,
  { limit, cursor }: PageRequest,
): Promise<IdPage> {
  const range = { filter, order, after: cursorPosition(order, cursor), limit };
  const counts = await countMatching(db, filter);
  const maxEntries = maxEntriesToSort(filter, counts, limit);
  const { word, entries } = await rarestWord(db, filter.words, maxEntries);
  if (entries < maxEntries) {
    const ids = await findAllMatches(db, filter, word);
    const positions = await sortMatches(db, ids, range, counts);
    return orderedPage(order, positions, limit, { total: ids.length, total_is: 'exact' });
  }
  const { matches, end } = await findCommon(db, range, counts);
  const page = matches.slice(0, limit);
  const isWhole = end === undefined && cursor === undefined;
  // Of several words, and of students whom the filter excludes, no more is known than the page.
  const known =
    filter.words.length === 1 && filter.conditions.length === 0 ? twoFigures(entries) : page.length;
  const continued = matches.length > limit ? page.at(-1) : end;
  return {
    ids: page.map(([, id]) => id),
    total: isWhole ? matches.length : known,
    total_is: isWhole ? 'exact' : 'minimum',
    next_cursor: continued === undefined ? null : orderCursor(order, continued),
  };
}

/** The next matches of common words in an order, or all of them if the filter leaves few students. */
async function findCommon(db: Db, range: ListRange, counts: Counts): Promise<WordScan> {
  const [source, candidates] = smallestSource(counts);
  if (candidates < SMALL_SET_LIMIT && candidates * FETCH_COST < counts.inBranches) {
    const all = { ...range, limit: SMALL_SET_LIMIT };
    const matches = await readParts(all, (part) => fetchAndSort(db, { source, ...part }));
    return { matches, end: matches.length < SMALL_SET_LIMIT ? undefined : matches.at(-1) };
  }
  const limit = counts.matching.students < EXACT_TOTAL_LIMIT ? EXACT_TOTAL_LIMIT : range.limit;
  return scanForWords(db, { ...range, limit: Math.max(limit, range.limit) }, counts, SCAN_LIMITS);
}
