import { z } from 'zod';
import { HOLD_BLOCKS, HOLD_KINDS, HOLD_STATES } from '../../domain/holds.ts';
import { DEPARTMENT_CODES, SYNDICATES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import {
  date,
  numberedPath,
  oneOf,
  optionalDate,
  reason,
  requiredOr,
  studentPath,
  text,
  wholeNumber,
} from '../fields.ts';

const blocks = z.preprocess(
  (value) => value ?? undefined,
  z
    .array(oneOf(HOLD_BLOCKS), requiredOr('must be a list of what is blocked.'))
    .min(1, 'must name at least one thing.')
    // Each once, in one order, so that equal holds are stored alike.
    .transform((named) => HOLD_BLOCKS.filter((block) => named.includes(block))),
);

/** The text on `until`. */
export const HOLD_ENDS_FIRST = 'The last day must not be before the first one.';

export const holdInput = z
  .object({
    kind: oneOf(HOLD_KINDS),
    reason: reason(),
    blocks,
    /** The first day; today if left out. */
    from: z.preprocess((value) => (value === null || value === '' ? undefined : value), date().optional()),
    /** The last day; null for no end. */
    until: optionalDate(),
  })
  .superRefine(({ from, until }, context) => {
    if (from !== undefined && until !== null && until < from)
      context.addIssue({ code: 'custom', path: ['until'], message: HOLD_ENDS_FIRST });
  });
export type HoldInput = z.infer<typeof holdInput>;

const by = z.object({ id: z.int().nullable(), name: z.string() });

/** Something that keeps a student from papers or registration until it is released. Only its release changes it. */
export const holdReply = z.object({
  hold_id: z.int(),
  student_id: z.string(),
  kind: z.enum(HOLD_KINDS),
  reason: z.string(),
  blocks: z.array(z.enum(HOLD_BLOCKS)),
  from: z.iso.date(),
  until: z.iso.date().nullable(),
  by,
  placed_at: z.iso.datetime(),
  /** As of today. */
  state: z.enum(HOLD_STATES),
  released: z.object({ by, at: z.iso.datetime(), reason: z.string() }).nullable(),
  /** Serials of the documents that were issued in spite of it. */
  overrides: z.array(z.string()),
  version: z.int(),
});
export type Hold = z.infer<typeof holdReply>;

const listedHold = holdReply.extend({
  first_name: z.string(),
  last_name: z.string(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
});

/** Holds per page: the default and the maximum. */
export const HOLDS_PAGE = { usual: 50, most: 200 } as const;

/** All filters are optional; a hold must match every given one. */
export const holdsQuery = z.strictObject({
  kind: oneOf(HOLD_KINDS).optional(),
  state: oneOf(HOLD_STATES).optional(),
  blocks: oneOf(HOLD_BLOCKS).optional(),
  /** Active ones with a last day within 14 days. */
  ending: oneOf(['true']).optional(),
  /** The beginning of an ID, or a part of a name. */
  q: text(100).optional(),
  limit: wholeNumber({ min: 1, max: HOLDS_PAGE.most }).optional(),
  /** `next_cursor` of the previous page, with the same filters. */
  cursor: text(20).optional(),
});
export type HoldsQuery = z.infer<typeof holdsQuery>;

/** The latest hold first. */
export const holdsReply = z.object({
  holds: z.array(listedHold),
  /** All that match. */
  total: z.int(),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
});
export type HoldsPage = z.infer<typeof holdsReply>;

const savedReply = z.object({ message: z.string(), hold: holdReply });

export const holdCalls = {
  tag: 'Holds',
  calls: {
    'GET /api/students/:id/holds': {
      summary: 'The holds of a student, the latest first',
      rights: ['read'],
      params: studentPath,
      replies: { 200: z.array(holdReply) },
      refuses: [404],
    },
    'POST /api/students/:id/holds': {
      summary: 'Place a hold on a student',
      description: 'It blocks what `blocks` names from `from` until `until` or its release.',
      rights: ['write'],
      params: studentPath,
      body: holdInput,
      replies: { 201: savedReply },
      refuses: [404, 422],
    },
    'POST /api/holds/:hold_id/release': {
      summary: 'Release a hold',
      rights: ['administer'],
      params: z.object({ hold_id: numberedPath }),
      body: z.object({ reason: reason() }),
      replies: { 200: savedReply },
      refuses: [404, 409, 412, 422],
    },
    'GET /api/holds': {
      summary: 'Holds of all students, the latest first',
      rights: ['read'],
      query: holdsQuery,
      replies: { 200: holdsReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
