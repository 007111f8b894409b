import { z } from 'zod';
import { oneOf, otherwise, text, wholeNumber } from './fields.ts';

/** What the history tells of. */
export const HISTORY_ENTITIES = [
  'student',
  'family',
  'semester',
  'course',
  'marks',
  'user',
  'view',
  'export',
  'list',
] as const;
export type HistoryEntity = (typeof HISTORY_ENTITIES)[number];

export const HISTORY_ACTIONS = ['create', 'update', 'delete'] as const;
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** Entries of one page, where the caller does not say, and at most. */
export const HISTORY_PAGE = { usual: 50, most: 200 } as const;

const GREATEST_KEY = 2 ** 31 - 1;

/** A day of UTC, or a moment with its distance from UTC for those who count days elsewhere. */
const moment = () =>
  z.union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    otherwise('must be a date such as 2026-03-14, or a time such as 2026-03-14T08:00:00+05:00.'),
  );

const narrowing = {
  /** Who made the change. */
  user: wholeNumber({ min: 1, max: GREATEST_KEY }).optional(),
  from: moment().optional(),
  /** With all of its day. */
  to: moment().optional(),
  limit: wholeNumber({ min: 1, max: HISTORY_PAGE.most }).optional(),
  /** `next_cursor` of the page before, with the same filters. */
  cursor: text(200).optional(),
};

/** Every filter is optional; all that are given have to hold. */
export const historyQuery = z
  .strictObject({
    entity: oneOf(HISTORY_ENTITIES).optional(),
    /** The ID of a student, a course …; with `entity` only. */
    entity_id: text(64).optional(),
    action: oneOf(HISTORY_ACTIONS).optional(),
    ...narrowing,
  })
  .refine(({ entity, entity_id }) => entity !== undefined || entity_id === undefined, {
    error: 'must be given together with an entity.',
    path: ['entity_id'],
  });

/** Of one record alone. */
export const recordHistoryQuery = z.strictObject(narrowing);

const value = z.union([z.string(), z.number(), z.null()]);

/** A field that a change has changed. Grades are letters, school marks are out of 1100, dates are `YYYY-MM-DD`. */
export const fieldChange = z.object({ field: z.string(), label: z.string(), before: value, after: value });
export type FieldChange = z.infer<typeof fieldChange>;

export const historyEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** Who made the change, with the name as it was then; `id` is null for what the product did by itself. */
  user: z.object({ id: z.int().nullable(), name: z.string().nullable() }),
  action: z.enum(HISTORY_ACTIONS),
  entity: z.enum(HISTORY_ENTITIES),
  entity_id: z.string(),
  /** What it is about is called so: the student, the course, the person, the view. */
  name: z.string().nullable(),
  /** Of an entry about results. */
  semester: z.int().nullable(),
  /** The change of many students that it was part of, and of how many. */
  bulk: z.object({ id: z.int(), students: z.int() }).nullable(),
  /** The entry whose state this one has brought back. */
  restored_from: z.int().nullable(),
  changes: z.array(fieldChange),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** The latest entry first. */
export const historyReply = z.object({
  entries: z.array(historyEntry),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
});
export type HistoryPage = z.infer<typeof historyReply>;

/** The state that an entry tells of: before its change, or after it. */
export const HISTORY_STATES = ['before', 'after'] as const;
export type HistoryState = (typeof HISTORY_STATES)[number];

export const restoreQuery = z.strictObject({ state: oneOf(HISTORY_STATES).default('before') });

/** What restoring a state would do. The answer's version is that of the record as it is now. */
export const restorePreview = z.object({
  /** Why it can't be done, in plain words; null where it can. */
  obstacle: z.string().nullable(),
  /** From how the record is now to how it would be. */
  changes: z.array(fieldChange),
});
export type RestorePreview = z.infer<typeof restorePreview>;
