import { z } from 'zod';
import { DIRECTIONS, STUDENT_SORTS } from '../../../contract/students/student-list.ts';
import { invalidField } from '../../errors.ts';

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
type Cursor = z.infer<typeof cursorSchema>;

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

export const invalidCursor = () =>
  invalidField('cursor', 'The cursor must be the next_cursor of a page in the same order.');
