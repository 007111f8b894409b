import { z } from 'zod';
import { DEPARTMENT_CODES, GENDERS, STANDINGS, STATUS_CODES, SYNDICATES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { numberedPath, objectOnly, text } from '../fields.ts';
import { DIRECTIONS, STUDENT_SORTS, type StudentView, studentView } from './student-list.ts';

/** Most views of one user. */
export const MAX_SAVED_VIEWS = 50;

/** Strict: ignoring an unknown filter would save a wider view than intended. */
const view = z.strictObject(studentView.shape, objectOnly);

/** A search of the list of students with its filters and order, under a name chosen by the user. */
export const viewInput = z.object({ name: text(60), view });
export type ViewInput = z.infer<typeof viewInput>;

/** A view in a reply. Unset filters are left out. */
const shownView = z
  .object({
    q: z.string(),
    department: z.enum(DEPARTMENT_CODES),
    degree: z.string(),
    syn: z.enum(SYNDICATES),
    current_sem: z.int(),
    gender: z.enum(GENDERS),
    status: z.array(z.enum(STATUS_CODES)),
    standing: z.array(z.enum(STANDINGS)),
    cgpa_from: z.number(),
    cgpa_below: z.number(),
    incomplete: z.literal('true'),
    fell_by: z.number(),
    failed: z.int(),
    sort: z.enum(STUDENT_SORTS),
    direction: z.enum(DIRECTIONS),
  } satisfies Record<keyof StudentView, z.ZodType>)
  .partial();

/** Changes of the view send `etag` as `If-Match`. */
export const savedView = z.object({ id: z.int(), name: z.string(), view: shownView, etag: z.string() });
export type SavedView = z.infer<typeof savedView>;

export const viewListReply = z.array(savedView);
export const viewSavedReply = z.object({ message: z.string(), view: savedView });

const viewPath = z.object({ id: numberedPath });

export const viewCalls = {
  tag: 'Views',
  calls: {
    'GET /api/views': {
      summary: 'Your own views of the list of students, by name',
      rights: ['read'],
      replies: { 200: viewListReply },
    },
    'POST /api/views': {
      summary: 'Save a view of the list of students under a name',
      rights: ['read'],
      body: viewInput,
      replies: { 201: viewSavedReply },
      refuses: [422],
    },
    'PUT /api/views/:id': {
      summary: 'Change the name or the filters of a view of your own',
      rights: ['read'],
      params: viewPath,
      body: viewInput,
      replies: { 200: viewSavedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/views/:id': {
      summary: 'Remove a view of your own',
      rights: ['read'],
      params: viewPath,
      replies: { 200: messageReply },
      refuses: [404, 412],
    },
  },
} satisfies CallGroup;
