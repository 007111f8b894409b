import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db/schema.ts';
import { countMatching, fewest } from './list-counts.ts';
import { cursorOf, isBy, readCursor, wrongCursor } from './list-cursor.ts';
import type { Narrowing } from './list-filter.ts';
import { type Asked, type IdPage, orderCursor, orderedPage, placeIn, type Total } from './list-order.ts';
import { rarestWord, type SearchPage, search, searchAll } from './list-search.ts';
import { collect, collectOf, type Order, type Place, type Source, verify, walk } from './list-walk.ts';
import { isStudentId } from './queries.ts';

/** Students that a filter leaves, few enough to look at each of them for the words of a search. */
const LOOKED_THROUGH = 3000;

/** Where few are left by the filters alone, how they are found; a search that has begun goes on as it began. */
export async function fewToSearch(
  db: Db,
  narrowing: Narrowing,
  { cursor }: Asked,
): Promise<Source | undefined> {
  if (narrowing.conditions.length === 0 || isBy(cursor, 'relevance')) return undefined;
  const [source, few] = fewest(await countMatching(db, narrowing));
  if (few < LOOKED_THROUGH) return source;
  // The few have become many since the first page.
  if (isBy(cursor, 'order')) throw wrongCursor();
  return undefined;
}

/** The order of those few, but for the one whose very id is asked for. */
const BY_NAME: Order = { sort: 'name', direction: 'ascending' };

export async function searchAmong(
  db: Db,
  narrowing: Narrowing,
  { q, source }: { q: string; source: Source },
  { limit, cursor }: Asked,
): Promise<IdPage> {
  const after = placeIn(BY_NAME, cursor);
  const exact = await exactId(db, narrowing, q);
  const leads = exact !== undefined && after === undefined;
  const room = leads ? limit - 1 : limit;
  const stretch = { narrowing, order: BY_NAME, after, limit: Math.max(1, room) };
  const places = (await collect(db, { source, ...stretch })).slice(0, room);
  const page = orderedPage(BY_NAME, places, room, {
    total: places.length + (leads ? 1 : 0),
    total_is: cursor === undefined && places.length < room ? 'exact' : 'minimum',
  });
  if (exact === undefined) return page;
  const others = page.ids.filter((id) => id !== exact);
  if (!leads) return { ...page, ids: others };
  return {
    ...page,
    total: others.length + 1,
    ids: [exact, ...others],
    // Nobody comes before this place.
    next_cursor: room === 0 ? orderCursor(BY_NAME, ['', '']) : page.next_cursor,
  };
}

/** The best matches first. */
export async function byRelevance(
  db: Db,
  narrowing: Narrowing,
  q: string,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  const after = readCursor(cursor, 'relevance');
  const exact = await exactId(db, narrowing, q);
  const lead = exact !== undefined && after === undefined ? [exact] : [];
  const room = limit - lead.length;
  const page = await search(db, narrowing, { after, except: exact, limit: Math.max(1, room) });
  const { total, total_is } = after ?? (await foundInAll(db, narrowing, lead.length + page.ids.length, page));
  // A page of one that the exact ID fills: the search begins with the next.
  const next = room > 0 ? page.next : page.ids.length > 0 ? { stretch: 0, term: '', id: '' } : undefined;
  return {
    total,
    total_is,
    ids: [...lead, ...page.ids.slice(0, room)],
    next_cursor: next === undefined ? null : cursorOf({ by: 'relevance', ...next, total, total_is }),
  };
}

/** How many a search finds, from its first page; never more than the filters leave. */
async function foundInAll(db: Db, narrowing: Narrowing, found: number, page: SearchPage): Promise<Total> {
  if (page.next === undefined) return { total: found, total_is: 'exact' };
  const left =
    narrowing.conditions.length === 0
      ? Number.POSITIVE_INFINITY
      : (await countMatching(db, narrowing)).matching.students;
  const about = Math.min(left, twoFigures(page.about));
  return { total: Math.max(found, about), total_is: page.isCounted ? 'estimate' : 'minimum' };
}

/** Rounded down to its two leading figures: an estimate is not better than that. */
function twoFigures(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.floor(count / unit) * unit;
}

/** The student whose very id is asked for, where the filter leaves them. */
async function exactId(db: Db, narrowing: Narrowing, q: string): Promise<string | undefined> {
  if (!isStudentId(q)) return undefined;
  return (await verify(db, { ...narrowing, words: [] }, [q])).has(q) ? q : undefined;
}

/** Entries of the rarest word, at most, among which everyone is found and put in order. */
const PUT_IN_ORDER = 20_000;
/** Entries walked over in one statement where a search is put in an order of its own, and such statements a page. */
const WALKED = 1000;
const WALKS = 100;

/**
 * With fewer entries than this, finding everyone costs less than walking along the order. Of one word, `entries` of
 * them among `students` mean that a walk passes `limit * students / entries` for its page; what several words have in
 * common can't be told from how many hold one.
 */
async function fewToOrder(db: Db, narrowing: Narrowing, limit: number): Promise<number> {
  if (narrowing.words.length > 1) return PUT_IN_ORDER;
  const { matching } = await countMatching(db, narrowing);
  return Math.min(PUT_IN_ORDER, Math.max(WALKED, Math.ceil(Math.sqrt(limit * matching.students))));
}

/**
 * A search in a chosen order. Everyone found is put in order, unless the words are so common that walking along the
 * order meets enough of them soon.
 */
export async function searchInOrder(
  db: Db,
  narrowing: Narrowing,
  order: Order,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  let after = placeIn(order, cursor);
  const few = await fewToOrder(db, narrowing, limit);
  const { word, entries } = await rarestWord(db, narrowing.words, few);
  if (entries < few) {
    const ids = await searchAll(db, narrowing, word);
    const places = await collectOf(db, ids, { narrowing, order, after, limit });
    return orderedPage(order, places, limit, { total: ids.length, total_is: 'exact' });
  }
  const places: Place[] = [];
  for (let walks = 1; walks <= WALKS; walks += 1) {
    const walked = await walk(db, { narrowing, order, after, limit: WALKED });
    const found = await verify(
      db,
      narrowing,
      walked.map(([, id]) => id),
    );
    places.push(...walked.filter(([, id]) => found.has(id)));
    const last = walked.at(-1);
    const isLast = last === undefined || walked.length < WALKED;
    if (isLast || places.length >= limit || walks === WALKS) {
      const page = places.slice(0, limit);
      const end = places.length >= limit ? page.at(-1) : last;
      return {
        ids: page.map(([, id]) => id),
        total: isLast && cursor === undefined ? places.length : twoFigures(entries),
        total_is: isLast && cursor === undefined ? 'exact' : 'minimum',
        next_cursor: (isLast && places.length <= limit) || end === undefined ? null : orderCursor(order, end),
      };
    }
    after = last;
    await setImmediate();
  }
  throw new Error('A page ends with its last walk.');
}
