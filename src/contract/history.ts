import { z } from 'zod';
import type { CallGroup } from './calls.ts';
import { messageReply } from './errors.ts';
import {
  courseIdPath,
  numberedPath,
  oneOf,
  optionalReason,
  requiredOr,
  studentPath,
  text,
  wholeNumber,
} from './fields.ts';

/** The kinds of records that have a history. */
export const HISTORY_ENTITIES = [
  'student',
  'family',
  'semester',
  'course',
  'marks',
  'term',
  'institution',
  'user',
  'view',
  'export',
  'list',
  'policy',
  'scheme',
  'equivalent',
  'opening',
  'exception',
  'outside-credit',
  'hold',
  'sheet',
  'result-notification',
  'document',
] as const;
export type HistoryEntity = (typeof HISTORY_ENTITIES)[number];

export const HISTORY_ACTIONS = ['create', 'update', 'delete'] as const;
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** Entries per page: the default and the maximum. */
export const HISTORY_PAGE_SIZE = { usual: 50, most: 200 } as const;

const GREATEST_KEY = 2 ** 31 - 1;

/** A day in UTC, or a time with its offset from UTC. */
const moment = () =>
  z.union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    requiredOr('must be a date such as 2026-03-14, or a time such as 2026-03-14T08:00:00+05:00.'),
  );

const filterFields = {
  /** The account that made the change. */
  user: wholeNumber({ min: 1, max: GREATEST_KEY }).optional(),
  from: moment().optional(),
  /** Inclusive: a day to its end. */
  to: moment().optional(),
  limit: wholeNumber({ min: 1, max: HISTORY_PAGE_SIZE.most }).optional(),
  /** `next_cursor` of the previous page, with the same filters. */
  cursor: text(200).optional(),
};

/** All filters are optional; an entry must match every given one. */
export const historyQuery = z
  .strictObject({
    entity: oneOf(HISTORY_ENTITIES).optional(),
    /** ID of the student, course …; only together with `entity`. */
    entity_id: text(64).optional(),
    action: oneOf(HISTORY_ACTIONS).optional(),
    /** ID, former ID or name of a student; of a deleted one the ID. */
    student: text(100).optional(),
    ...filterFields,
  })
  .refine(({ entity, entity_id }) => entity !== undefined || entity_id === undefined, {
    error: 'must be given together with an entity.',
    path: ['entity_id'],
  })
  .refine(({ entity_id, student }) => entity_id === undefined || student === undefined, {
    error: 'must not be given together with an entity id.',
    path: ['student'],
  });

/** The history of one record. */
const recordHistoryQuery = z.strictObject(filterFields);

const value = z.union([z.string(), z.number(), z.null()]);

/** A changed field. Grades are letters, school marks are out of 1100, dates are `YYYY-MM-DD`. */
export const fieldChange = z.object({ field: z.string(), label: z.string(), before: value, after: value });
export type FieldChange = z.infer<typeof fieldChange>;

export const historyEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** The author of the change, with the name at that time; `id` is null for changes by a program. */
  user: z.object({ id: z.int().nullable(), name: z.string().nullable() }),
  action: z.enum(HISTORY_ACTIONS),
  entity: z.enum(HISTORY_ENTITIES),
  entity_id: z.string(),
  /**
   * Name of the student, course, term, institution, user or view; of results and family the student's at that time, or else the
   * present one; title and class of a mark sheet; the class of a notification.
   */
  name: z.string().nullable(),
  /** For results only. */
  semester: z.int().nullable(),
  /** The bulk change that it was part of, with its number of students. */
  bulk: z.object({ id: z.int(), students: z.int() }).nullable(),
  /** The import that it was part of, and its file; null for others, and the file also for pasted text. */
  import_id: z.int().nullable(),
  import_file: z.string().nullable(),
  /** Number of the entry whose state this change restored. */
  restored_from: z.int().nullable(),
  changes: z.array(fieldChange),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** The latest entry first. */
export const historyReply = z.object({
  entries: z.array(historyEntry),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
  /** With the filter `student`: whether the entries of all students found are in the list, or only those of the best matches. */
  has_all_students: z.boolean().optional(),
});
export type HistoryPage = z.infer<typeof historyReply>;

/** Deletions of single students and courses, the latest first. */
export const deletionsReply = z.object({
  deletions: z.array(
    z.object({
      /** The number of the entry in the history, from which the record is restored. */
      entry: z.int(),
      at: z.iso.datetime(),
      user: z.object({ id: z.int().nullable(), name: z.string().nullable() }),
      entity: z.enum(['student', 'course']),
      entity_id: z.string(),
      name: z.string(),
      /** No record has the ID, and it was not deleted again since. */
      restorable: z.boolean(),
    }),
  ),
});
export type Deletions = z.infer<typeof deletionsReply>;

/** The two states of an entry: before and after its change. */
export const HISTORY_STATES = ['before', 'after'] as const;
export type HistoryState = (typeof HISTORY_STATES)[number];

const restoreQuery = z.strictObject({ state: oneOf(HISTORY_STATES).default('before') });

/** The body of a restore, which may be left out. A `reason` is needed where results come from mark sheets. */
const restoreInput = z.object({ reason: optionalReason() }).default({ reason: null });

/** The outcome of restoring a state. The ETag of the reply is that of the current record. */
export const restorePreview = z.object({
  /** Why it is not possible, as text; null if it is. */
  obstacle: z.string().nullable(),
  /** The differences from the current state to the restored one. */
  changes: z.array(fieldChange),
  /** Why it needs a reason; null where it needs none. */
  needs_reason: z.string().nullable(),
});
export type RestorePreview = z.infer<typeof restorePreview>;

const entryPath = z.object({ entry: numberedPath });
const WHO_RESTORES = 'Staff undo only the latest deletion of a student or course that they made themselves.';

export const historyCalls = {
  tag: 'History',
  calls: {
    'GET /api/history': {
      summary: 'The history of everything, the latest first',
      description: 'Every filter that is given has to hold. `student` is an ID, a former ID or a name.',
      rights: ['administer'],
      query: historyQuery,
      replies: { 200: historyReply },
      refuses: [422],
    },
    'GET /api/students/:id/history': {
      summary: 'Everything that was changed in a record: base, family and results',
      description:
        'By the present ID or a former one; of a student who has been deleted, under this ID or before, for administrators.',
      rights: ['write'],
      params: studentPath,
      query: recordHistoryQuery,
      replies: { 200: historyReply },
      refuses: [404, 422],
    },
    'GET /api/courses/:course_id/history': {
      summary: 'Everything that was changed in a course; of its marks their number and statistics',
      description: 'Of a course that has been deleted, under this ID or before, for administrators.',
      rights: ['write'],
      params: z.object({ course_id: courseIdPath }),
      query: recordHistoryQuery,
      replies: { 200: historyReply },
      refuses: [404, 422],
    },
    'GET /api/sheets/:sheet_id/history': {
      summary: 'Everything that was changed in a mark sheet',
      description: 'Of a sheet that has been deleted, for administrators.',
      rights: ['write'],
      params: z.object({ sheet_id: numberedPath }),
      query: recordHistoryQuery,
      replies: { 200: historyReply },
      refuses: [404, 422],
    },
    'GET /api/deletions': {
      summary: 'The latest deletions of single students and courses',
      description: 'For administrators those of everybody, for staff their own.',
      rights: ['write'],
      replies: { 200: deletionsReply },
    },
    'GET /api/history/:entry/restore': {
      summary: 'What restoring the state before or after an entry would do',
      description: `${WHO_RESTORES} The version answered is for the If-Match of the restore.`,
      rights: ['write'],
      params: entryPath,
      query: restoreQuery,
      replies: { 200: restorePreview },
      refuses: [404, 422],
    },
    'POST /api/history/:entry/restore': {
      summary: 'Make the state before or after an entry the current one',
      description: `${WHO_RESTORES} It is checked, versioned and entered in the history as any other change.`,
      rights: ['write'],
      params: entryPath,
      query: restoreQuery,
      body: restoreInput,
      replies: { 201: messageReply },
      refuses: [404, 409, 412, 422],
    },
  },
} satisfies CallGroup;
