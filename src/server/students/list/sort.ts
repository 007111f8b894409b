import { z } from 'zod';
import {
  DIRECTIONS,
  STUDENT_SORTS,
  type StudentOrder,
  type StudentPage,
  type StudentView,
} from '../../../contract/students/student-list.ts';
import { invalidField } from '../../errors.ts';
import type { ReadOrder, RowPosition } from './order-ranges.ts';

/** PostgreSQL rejects parameters with a NUL character. */
const cursorText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0') && text.isWellFormed());

/** The end of a page: of a sorted list, or of a search by relevance with the total that its first page counted. */
const cursorSchema = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('order'),
    sort: z.enum(STUDENT_SORTS),
    direction: z.enum(DIRECTIONS),
    key: z.union([cursorText(400), z.int32()]),
    id: cursorText(20),
    part: z.enum(['active', 'others']),
  }),
  z.strictObject({
    by: z.literal('relevance'),
    word: z.int().min(0).max(7).optional(),
    stretch: z.int().min(0).max(255),
    term: cursorText(200),
    id: cursorText(20),
    total: z.int().min(0),
    total_is: z.enum(['exact', 'estimate', 'minimum']),
  }),
]);
export type Cursor = z.infer<typeof cursorSchema>;

/** The cursor as text that is safe in a URL. */
export const encodeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** @throws ValidationError on `cursor` when it is malformed or of the other kind of list */
export function decodeCursor<By extends Cursor['by']>(
  text: string | undefined,
  by: By,
): Extract<Cursor, { by: By }> | undefined {
  if (text === undefined) return undefined;
  const cursor = parseCursor(text);
  if (cursor === undefined || !isOfKind(cursor, by)) throw invalidCursor();
  return cursor;
}

const isOfKind = <By extends Cursor['by']>(cursor: Cursor, by: By): cursor is Extract<Cursor, { by: By }> =>
  cursor.by === by;

function parseCursor(text: string): Cursor | undefined {
  try {
    return cursorSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

const invalidCursor = () =>
  invalidField('cursor', 'The cursor must be the next_cursor of a page in the same order.');

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
