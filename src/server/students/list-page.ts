import { setImmediate } from 'node:timers/promises';
import {
  type StudentFilter,
  type StudentPage,
  type StudentView,
  studentPageReply,
} from '../../contract/student-list.ts';
import type { Db } from '../db/schema.ts';
import { countMatching } from './list-counts.ts';
import { cursorOf, readCursor, wrongCursor } from './list-cursor.ts';
import { type Narrowing, narrowingOf } from './list-filter.ts';
import { listedStudents } from './list-rows.ts';
import { isCommon, rarestWord, type SearchPage, search, searchAll } from './list-search.ts';
import { collect, type Order, type Place, verify, walk } from './list-walk.ts';
import { findStudent, isStudentId } from './queries.ts';

/** What a page says beside its rows. */
type Total = Pick<StudentPage, 'total' | 'total_is'>;

interface IdPage extends Total {
  ids: string[];
  next_cursor: string | null;
}

interface Asked {
  limit: number;
  cursor: string | undefined;
}

/** Newest registrations first. */
const USUAL_ORDER: Order = { sort: 'id', direction: 'descending' };

/** One page of the list, its rows as the JSON that the engine has written. */
export async function studentPageJson(db: Db, view: StudentView, asked: Asked): Promise<string> {
  const { ids, total, total_is, next_cursor } = await idPage(db, view, asked);
  const students = await listedStudents(db, ids);
  return `{"students":${students},"total":${total},"total_is":"${total_is}","next_cursor":${JSON.stringify(next_cursor)}}`;
}

/** The same for callers within the server. */
export async function studentPage(db: Db, view: StudentView, asked: Asked): Promise<StudentPage> {
  return studentPageReply.parse(JSON.parse(await studentPageJson(db, view, asked)));
}

/**
 * Ids of all students that a filter leaves, a page at a time, in the order of their ids. A page may be shorter than
 * `limit` and yet not the last: that is the one without `next`.
 */
export async function matchingIds(
  db: Db,
  filter: StudentFilter,
  cursor: string | undefined,
  limit: number,
): Promise<{ ids: string[]; next: string | undefined }> {
  const { ids, next_cursor } = await idPage(
    db,
    { ...filter, sort: 'id', direction: 'ascending' },
    { limit, cursor },
  );
  return { ids, next: next_cursor ?? undefined };
}

async function idPage(db: Db, { sort, direction, ...filter }: StudentView, asked: Asked): Promise<IdPage> {
  const narrowing = narrowingOf(filter);
  const isSearch = filter.q !== undefined;
  // Only signs that no name has, such as "%": nobody is found by them.
  if (isSearch && narrowing.words.length === 0)
    return { ids: [], next_cursor: null, total: 0, total_is: 'exact' };
  if (isSearch && sort === undefined) return byRelevance(db, narrowing, filter.q ?? '', asked);
  const order = orderOf({ sort, direction });
  return isSearch ? searchInOrder(db, narrowing, order, asked) : inOrder(db, narrowing, order, asked);
}

/** The order that a view asks for, a search by relevance aside. */
export const orderOf = ({ sort, direction }: Pick<StudentView, 'sort' | 'direction'>): Order =>
  sort === undefined
    ? { ...USUAL_ORDER, ...(direction && { direction }) }
    : { sort, direction: direction ?? 'ascending' };

function placeIn(order: Order, cursor: string | undefined): Place | undefined {
  const at = readCursor(cursor, 'order');
  if (at === undefined) return undefined;
  const isNumber = ['fsc_marks', 'matric_marks', 'cgpa'].includes(order.sort);
  if (at.sort !== order.sort || at.direction !== order.direction) throw wrongCursor();
  if ((typeof at.key === 'number') !== isNumber) throw wrongCursor();
  return [at.key, at.id];
}

const orderCursor = (order: Order, [key, id]: Place) => cursorOf({ by: 'order', ...order, key, id });

/** Rows of a page in an order; a full page may be followed by an empty one. */
function orderedPage(order: Order, places: readonly Place[], limit: number, total: Total): IdPage {
  const last = places.at(-1);
  return {
    ...total,
    ids: places.map(([, id]) => id),
    next_cursor: last === undefined || places.length < limit ? null : orderCursor(order, last),
  };
}

/** Looking one of the few up costs as much as walking over so many entries of an index. */
const LOOK_UP = 20;

async function inOrder(
  db: Db,
  narrowing: Narrowing,
  order: Order,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  const after = placeIn(order, cursor);
  const { matching, around, sources } = await countMatching(db, narrowing);
  const total: Total = { total: matching.students, total_is: matching.isExact ? 'exact' : 'estimate' };
  if (matching.isExact && matching.students === 0) return orderedPage(order, [], limit, total);
  const stretch = { narrowing, order, after, limit };
  const [source, few] = [...sources].reduce((a, b) => (b[1] < a[1] ? b : a));
  const walkedOver = (limit * around) / Math.max(1, matching.students);
  const isNarrowed = narrowing.conditions.some((name) => name !== 'current_sem' && name !== 'department');
  const places =
    isNarrowed && few * LOOK_UP < walkedOver
      ? await collect(db, { source, ...stretch })
      : await walk(db, stretch);
  return orderedPage(order, places, limit, total);
}

async function byRelevance(
  db: Db,
  narrowing: Narrowing,
  q: string,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  const after = readCursor(cursor, 'relevance');
  const exact = await exactId(db, narrowing, q);
  const ids = exact !== undefined && after === undefined ? [exact] : [];
  const page = await search(db, narrowing, { after, except: exact, limit: Math.max(1, limit - ids.length) });
  ids.push(...page.ids);
  const total = after ?? (await foundInAll(db, narrowing, ids.length, page));
  return {
    total: total.total,
    total_is: total.total_is,
    ids,
    next_cursor:
      page.next === undefined
        ? null
        : cursorOf({ by: 'relevance', ...page.next, total: total.total, total_is: total.total_is }),
  };
}

/** How many a search finds, from its first page; never more than the filters leave. */
async function foundInAll(db: Db, narrowing: Narrowing, found: number, page: SearchPage): Promise<Total> {
  if (page.next === undefined) return { total: found, total_is: 'exact' };
  const { matching } = await countMatching(db, narrowing);
  const about = Math.min(matching.students, twoFigures(page.about));
  return { total: Math.max(found, about), total_is: page.isCounted ? 'estimate' : 'minimum' };
}

/** Rounded down to its two leading figures: an estimate is not better than that. */
function twoFigures(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.floor(count / unit) * unit;
}

/** The student whose very id is asked for, where the filter leaves them. */
async function exactId(db: Db, narrowing: Narrowing, q: string): Promise<string | undefined> {
  if (!isStudentId(q) || (await findStudent(db, q)) === undefined) return undefined;
  return (await verify(db, { ...narrowing, words: [] }, [q])).has(q) ? q : undefined;
}

/** Entries walked over in one statement where a search is put in an order of its own, and such statements a page. */
const WALKED = 1000;
const WALKS = 100;

/**
 * A search in a chosen order. Everyone found is put in order, unless the words are so common that walking along the
 * order meets enough of them soon.
 */
async function searchInOrder(
  db: Db,
  narrowing: Narrowing,
  order: Order,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  let after = placeIn(order, cursor);
  const { word, entries } = await rarestWord(db, narrowing.words);
  if (!isCommon(entries)) {
    const ids = await searchAll(db, narrowing, word);
    const places = await collect(db, { source: 'ids', ids, narrowing, order, after, limit });
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
