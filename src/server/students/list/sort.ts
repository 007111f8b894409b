import type { StudentOrder, StudentPage, StudentView } from '../../../contract/students/student-list.ts';
import { decodeCursor, encodeCursor, invalidCursor } from './cursor.ts';
import type { ReadOrder, RowPosition } from './order-ranges.ts';

/** How many rows all pages have together. */
export type TotalCount = Pick<StudentPage, 'total' | 'total_is'>;

/** A page, with the ids of its rows only. */
export interface IdPage extends TotalCount {
  ids: string[];
  next_cursor: string | null;
}

export interface PageRequest {
  limit: number;
  cursor: string | undefined;
  /** Reads the order from its last row on. */
  isBackwards?: boolean;
}

/** Newest registrations first. */
const DEFAULT_ORDER: StudentOrder = { sort: 'id', direction: 'descending' };

/** The order that a view asks for, or the default. */
export const sortOrder = (
  { sort, direction }: Pick<StudentView, 'sort' | 'direction'>,
  { isBackwards = false }: Pick<PageRequest, 'isBackwards'> = {},
): ReadOrder =>
  sort === undefined
    ? { ...DEFAULT_ORDER, ...(direction && { direction }), isBackwards }
    : { sort, direction: direction ?? 'ascending', isBackwards };

/** @throws ValidationError on `cursor` when it belongs to another order */
export function cursorPosition(order: StudentOrder, cursor: string | undefined): RowPosition | undefined {
  const position = decodeCursor(cursor, 'order');
  if (position === undefined) return undefined;
  const isNumber = ['fsc_marks', 'matric_marks', 'cgpa'].includes(order.sort);
  if (position.sort !== order.sort || position.direction !== order.direction) throw invalidCursor();
  if ((typeof position.key === 'number') !== isNumber) throw invalidCursor();
  return [position.key, position.id, position.part];
}

export const orderCursor = ({ sort, direction }: StudentOrder, [key, id, part]: RowPosition) =>
  encodeCursor({ by: 'order', sort, direction, key, id, part });

/** A page of a sorted list. A full page may be followed by an empty one. */
export function orderedPage(
  order: StudentOrder,
  positions: readonly RowPosition[],
  limit: number,
  total: TotalCount,
): IdPage {
  const last = positions.at(-1);
  return {
    ...total,
    ids: positions.map(([, id]) => id),
    next_cursor: last === undefined || positions.length < limit ? null : orderCursor(order, last),
  };
}
