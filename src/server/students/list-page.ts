import {
  type StudentFilter,
  type StudentPage,
  type StudentView,
  studentPageReply,
} from '../../contract/student-list.ts';
import type { Db } from '../db/schema.ts';
import { countMatching, fewest } from './list-counts.ts';
import { type Narrowing, narrowingOf } from './list-filter.ts';
import { byRelevance, fewToSearch, searchAmong, searchInOrder } from './list-found.ts';
import { type Asked, type IdPage, orderedPage, orderOf, placeIn, type Total } from './list-order.ts';
import { listedStudents } from './list-rows.ts';
import { collect, type Order, walk } from './list-walk.ts';

/** One page of the list, its rows as the JSON that the engine has written, and how many they are. */
export async function studentPageJson(
  db: Db,
  view: StudentView,
  asked: Asked,
): Promise<{ json: string; rows: number }> {
  const { ids, total, total_is, next_cursor } = await idPage(db, view, asked);
  const students = await listedStudents(db, ids);
  return {
    json: `{"students":${students},"total":${total},"total_is":"${total_is}","next_cursor":${JSON.stringify(next_cursor)}}`,
    rows: ids.length,
  };
}

/** The same for callers within the server. */
export async function studentPage(db: Db, view: StudentView, asked: Asked): Promise<StudentPage> {
  const { json } = await studentPageJson(db, view, asked);
  return studentPageReply.parse(JSON.parse(json));
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
  const { q } = filter;
  const order = orderOf({ sort, direction });
  if (q === undefined) return inOrder(db, narrowing, order, asked);
  // Only signs that no name has, such as "%": nobody is found by them.
  if (narrowing.words.length === 0) return { ids: [], next_cursor: null, total: 0, total_is: 'exact' };
  if (sort !== undefined) return searchInOrder(db, narrowing, order, asked);
  const few = await fewToSearch(db, narrowing, asked);
  return few === undefined
    ? byRelevance(db, narrowing, q, asked)
    : searchAmong(db, narrowing, { q, source: few }, asked);
}

/** Looking one of the few up costs as much as walking over so many entries of an index. */
const LOOK_UP = 80;

async function inOrder(
  db: Db,
  narrowing: Narrowing,
  order: Order,
  { limit, cursor }: Asked,
): Promise<IdPage> {
  const after = placeIn(order, cursor);
  const counts = await countMatching(db, narrowing);
  const { matching, around } = counts;
  const total: Total = { total: matching.students, total_is: matching.isExact ? 'exact' : 'estimate' };
  if (matching.isExact && matching.students === 0) return orderedPage(order, [], limit, total);
  const stretch = { narrowing, order, after, limit };
  const [source, few] = fewest(counts);
  const walkedOver = (limit * around) / Math.max(1, matching.students);
  const isNarrowed = narrowing.conditions.some((name) => name !== 'current_sem' && name !== 'department');
  const places =
    isNarrowed && few * LOOK_UP < walkedOver
      ? await collect(db, { source, ...stretch })
      : await walk(db, stretch);
  return orderedPage(
    order,
    places,
    limit,
    atLeast(places.length, total, after === undefined && places.length < limit),
  );
}

/** An estimate is never less than the rows that are there to see, and no estimate at all where they are all on one page. */
const atLeast = (rows: number, { total, total_is }: Total, areAll: boolean): Total =>
  areAll ? { total: rows, total_is: 'exact' } : { total: Math.max(total, rows), total_is };
