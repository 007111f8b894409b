import { z } from 'zod';
import { DIRECTIONS, STUDENT_SORTS } from '../../contract/student-list.ts';
import { invalid } from '../errors.ts';

/** PostgreSQL can't be asked about a NUL. */
const words = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0') && text.isWellFormed());

/** Where a page ended: in an order, or in a search by relevance with what it has counted. */
const place = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('order'),
    sort: z.enum(STUDENT_SORTS),
    direction: z.enum(DIRECTIONS),
    key: z.union([words(400), z.int32()]),
    id: words(20),
  }),
  z.strictObject({
    by: z.literal('relevance'),
    word: z.int().min(0).max(7).optional(),
    stretch: z.int().min(0).max(9),
    term: words(200),
    id: words(20),
    total: z.int().min(0),
    total_is: z.enum(['exact', 'estimate', 'minimum']),
  }),
]);
export type Cursor = z.infer<typeof place>;

/** The place as text that passes through an address. */
export const cursorOf = (at: Cursor) => Buffer.from(JSON.stringify(at)).toString('base64url');

/** @throws a refusal of `cursor` when it is none, or that of a list in another order */
export function readCursor<By extends Cursor['by']>(
  text: string | undefined,
  by: By,
): Extract<Cursor, { by: By }> | undefined {
  if (text === undefined) return undefined;
  const cursor = place.safeParse(parsed(text)).data;
  if (cursor === undefined || !isOf(cursor, by)) throw wrongCursor();
  return cursor;
}

const isOf = <By extends Cursor['by']>(cursor: Cursor, by: By): cursor is Extract<Cursor, { by: By }> =>
  cursor.by === by;

/** Which kind of list a cursor goes on with. */
export const isBy = (text: string | undefined, by: Cursor['by']): boolean =>
  text !== undefined && place.safeParse(parsed(text)).data?.by === by;

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export const wrongCursor = () =>
  invalid('cursor', 'The cursor must be the next_cursor of a page in the same order.');
