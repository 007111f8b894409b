import type { StudentPage, StudentView } from '../../contract/student-list.ts';
import { cursorOf, readCursor, wrongCursor } from './list-cursor.ts';
import type { Order, Place } from './list-walk.ts';

/** What a page says beside its rows. */
export type Total = Pick<StudentPage, 'total' | 'total_is'>;

/** A page as the ids of its rows. */
export interface IdPage extends Total {
  ids: string[];
  next_cursor: string | null;
}

export interface Asked {
  limit: number;
  cursor: string | undefined;
}

/** Newest registrations first. */
const USUAL_ORDER: Order = { sort: 'id', direction: 'descending' };

/** The order that a view asks for, or the usual one of a list without a search. */
export const orderOf = ({ sort, direction }: Pick<StudentView, 'sort' | 'direction'>): Order =>
  sort === undefined
    ? { ...USUAL_ORDER, ...(direction && { direction }) }
    : { sort, direction: direction ?? 'ascending' };

/** @throws a refusal of `cursor` when it is not of this order */
export function placeIn(order: Order, cursor: string | undefined): Place | undefined {
  const at = readCursor(cursor, 'order');
  if (at === undefined) return undefined;
  const isNumber = ['fsc_marks', 'matric_marks', 'cgpa'].includes(order.sort);
  if (at.sort !== order.sort || at.direction !== order.direction) throw wrongCursor();
  if ((typeof at.key === 'number') !== isNumber) throw wrongCursor();
  return [at.key, at.id];
}

export const orderCursor = (order: Order, [key, id]: Place) => cursorOf({ by: 'order', ...order, key, id });

/** Rows of a page in an order; a full page may be followed by an empty one. */
export function orderedPage(order: Order, places: readonly Place[], limit: number, total: Total): IdPage {
  const last = places.at(-1);
  return {
    ...total,
    ids: places.map(([, id]) => id),
    next_cursor: last === undefined || places.length < limit ? null : orderCursor(order, last),
  };
}
