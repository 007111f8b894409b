import { z } from 'zod';
import { DEPARTMENT_CODES, GENDERS, SYNDICATES } from '../domain/student.ts';
import { otherwise, text } from './fields.ts';
import { DIRECTIONS, STUDENT_SORTS, type StudentView, studentView } from './student-list.ts';

/** Views that one person can keep. */
export const MOST_VIEWS = 50;

/** Strict like the list's own query: a filter that is not known would keep a wider view than was meant. */
const view = z.strictObject(studentView.shape, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `must not hold ${issue.keys.join(', ')}.`
      : otherwise('must be an object.').error(issue),
});

/** A search of the list of students with its filters and order, under a name of the person's own. */
export const viewInput = z.object({ name: text(60), view });
export type ViewInput = z.infer<typeof viewInput>;

/** A view as it is answered: what it does not narrow down is left out. */
const shownView = z
  .object({
    q: z.string(),
    department: z.enum(DEPARTMENT_CODES),
    degree: z.string(),
    syn: z.enum(SYNDICATES),
    current_sem: z.int(),
    gender: z.enum(GENDERS),
    cgpa_from: z.number(),
    cgpa_below: z.number(),
    incomplete: z.literal('true'),
    fell_by: z.number(),
    failed: z.int(),
    sort: z.enum(STUDENT_SORTS),
    direction: z.enum(DIRECTIONS),
  } satisfies Record<keyof StudentView, z.ZodType>)
  .partial();

/** `etag` is what a change of it sends back as `If-Match`. */
export const savedView = z.object({ id: z.int(), name: z.string(), view: shownView, etag: z.string() });
export type SavedView = z.infer<typeof savedView>;

export const viewListReply = z.array(savedView);
export const viewSavedReply = z.object({ message: z.string(), view: savedView });
export type ViewSaved = z.infer<typeof viewSavedReply>;
