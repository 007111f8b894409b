import { phraseForms, termForms, termsWith } from '../../../domain/search-text.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import { type CandidateSource, readMatches } from './candidates.ts';
import type { ParsedFilter } from './filter.ts';
import { rarestWord, type SearchPage, type SearchPosition, type SearchRequest } from './search.ts';

/** Students whose entries are compared in one go: about two milliseconds. */
const BATCH_SIZE = 250;

/**
 * A search within the few students that filters leave: reads all matches and sorts them as `search` lists them, by their first entry in
 * the term index.
 */
export async function searchCandidates(
  db: Db,
  filter: ParsedFilter,
  source: CandidateSource,
  { after, except, limit }: SearchRequest,
): Promise<SearchPage> {
  const { words } = filter;
  const matches = (await readMatches(db, filter, source)).filter(({ id }) => id !== except);
  const word = after?.word ?? (await rarestWord(db, words)).word;
  const prefixes = [...phraseForms(words), ...termForms(words[word] ?? '')];
  const end = after && toSortable(after);
  const found: SortablePosition[] = [];
  for await (const some of pausedChunks(matches, BATCH_SIZE)) {
    for (const { id, text } of some) {
      const position = findFirst(id, text, prefixes);
      if (end === undefined || comparePositions(position, end) > 0) found.push(position);
    }
  }
  const page = found.sort(comparePositions).slice(0, limit);
  const last = page.length === found.length ? undefined : page.at(-1);
  return {
    ids: page.map(({ id }) => id),
    next: last && { word, stretch: last.stretch, term: last.term, id: last.id },
    total: matches.length,
  };
}

/** A position, with its term as the index compares it. */
interface SortablePosition extends SearchPosition {
  key: string;
}

/** One character for each byte, so that the order of these texts is that of the index. */
const toKey = (text: string) => Buffer.from(text).toString('latin1');

const toSortable = (position: SearchPosition): SortablePosition => ({
  ...position,
  key: toKey(position.term),
});

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const comparePositions = (a: SortablePosition, b: SortablePosition): number =>
  a.stretch - b.stretch || compareTexts(a.key, b.key) || compareTexts(toKey(a.id), toKey(b.id));

/** The first entry of a student in the stretches of these prefixes. */
function findFirst(id: string, text: string, prefixes: readonly string[]): SortablePosition {
  for (const [stretch, prefix] of prefixes.entries()) {
    const terms = termsWith(text, prefix);
    if (terms.length === 0) continue;
    const term = terms.reduce((a, b) => (toKey(b) < toKey(a) ? b : a));
    return toSortable({ stretch, term, id });
  }
  // Not reached: a match has an entry that begins with each word.
  return toSortable({ stretch: prefixes.length, term: '', id });
}
