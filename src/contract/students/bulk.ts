import { z } from 'zod';
import { formatCount } from '../../domain/format-count.ts';
import { DEPARTMENT_CODES, STATUS_CODES, SYNDICATES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { numberedPath, oneOf, optionalDate, optionalText, requiredOr, text } from '../fields.ts';
import { studentFilter } from './student-list.ts';
import { statusFields } from './students.ts';

/** The bulk changes. */
export const BULK_ACTIONS = ['next-semester', 'syndicate', 'department', 'status', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * Most students of one bulk change. It locks them until all are stored; these limits keep that to a few seconds (see
 * docs/decisions/014).
 */
export const MAX_BULK_STUDENTS = { change: 20_000, delete: 2_000 } as const;
/** Most students named by id, to be changed or left out. */
export const MAX_NAMED_STUDENTS = 5_000;

const ids = () =>
  z
    .array(text(20), requiredOr('must be a list of student IDs.'))
    .max(
      MAX_NAMED_STUDENTS,
      `must be at most ${formatCount(MAX_NAMED_STUDENTS)} students; narrow the list down instead.`,
    );

const selectionFields = {
  action: oneOf(BULK_ACTIONS),
  /** For the action `syndicate`: the new syndicate. */
  syn: oneOf(SYNDICATES).optional(),
  /** For the action `department`: the new department. */
  department: oneOf(DEPARTMENT_CODES).optional(),
  /** For the action `status`: the new status, its date (today if left out) and the reason. */
  status: oneOf(STATUS_CODES).optional(),
  date: optionalDate().optional(),
  reason: optionalText().optional(),
  /** The students; without it, all that match `filter`. */
  ids: ids().min(1, 'must name at least one student.').optional(),
  filter: studentFilter.optional(),
  /** Matches of `filter` to leave out. */
  except: ids().optional(),
};

interface SentChange {
  action: BulkAction;
  syn?: unknown;
  department?: unknown;
  status?: unknown;
  ids?: unknown;
  filter?: unknown;
  except?: unknown;
}

const requireComplete = (sent: SentChange, context: z.RefinementCtx) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (sent.action === 'syndicate' && sent.syn === undefined) refuse('syn', 'field is required.');
  if (sent.action === 'department' && sent.department === undefined)
    refuse('department', 'field is required.');
  if (sent.action === 'status' && sent.status === undefined) refuse('status', 'field is required.');
  if (sent.ids === undefined && sent.filter === undefined) refuse('ids', 'must name at least one student.');
  if (sent.ids !== undefined && sent.filter !== undefined) refuse('filter', 'must not be sent beside ids.');
  if (sent.ids !== undefined && sent.except !== undefined) refuse('except', 'must not be sent beside ids.');
};

export const bulkPreviewInput = z.object(selectionFields).superRefine(requireComplete);
export type BulkPreviewInput = z.infer<typeof bulkPreviewInput>;

/** The input of the preview, with the `fingerprint` of the preview that the user confirmed. */
export const bulkInput = z
  .object({ ...selectionFields, fingerprint: text(100) })
  .superRefine(requireComplete);
export type BulkInput = z.infer<typeof bulkInput>;

/** A student's class and status. Bulk changes set some of these fields. */
export const placement = z.object({
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
  current_sem: z.int(),
  ...statusFields,
});
export type Placement = z.infer<typeof placement>;

export const bulkPreview = z.object({
  /** Hash of the change and of the students with their versions. */
  fingerprint: z.string(),
  /** Students that would be changed or deleted. */
  changing: z.int(),
  /** Active students already in the last semester. */
  in_last_semester: z.int(),
  /** For the action `next-semester`: students of each other status, who stay where they are. */
  not_active: z.record(z.enum(STATUS_CODES).exclude(['active']), z.int()),
  /** Students already in the requested syndicate, department or status. */
  as_asked: z.int(),
  /** For the action `status`: students who joined after the date. They keep their status. */
  joined_later: z.int(),
  /** Number of named students that do not exist, and the first of them. */
  unknown: z.int(),
  unknown_ids: z.array(z.string()),
  /** The first students to change; `after` is null for a delete. */
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      before: placement,
      after: placement.nullable(),
    }),
  ),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

export const bulkReply = z.object({
  message: z.string(),
  change: z.object({
    /** Needed to undo the change. */
    id: z.int(),
    action: z.enum(BULK_ACTIONS),
    students: z.int(),
  }),
});
export type BulkReply = z.infer<typeof bulkReply>;

/** 412: other students match now, or some have been changed. `current` is the new preview. */
const bulkStaleReply = z.object({ message: z.string(), current: bulkPreview });

export const bulkUndoReply = z.object({
  message: z.string(),
  /** Students restored to their state before the change. */
  undone: z.int(),
  /** Students left as they are, because they have been changed since. */
  left: z.int(),
});
export type BulkUndoResult = z.infer<typeof bulkUndoReply>;

/** Bulk changes per page: the latest ones. */
export const BULK_CHANGES_SHOWN = 50;

export const bulkChange = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.enum(BULK_ACTIONS),
  students: z.int(),
  /** The account that made the change; null if it no longer exists. */
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** The outcome of the undo; null while the change has not been undone. */
  undo: bulkUndoReply.nullable(),
});
export type ListedBulkChange = z.infer<typeof bulkChange>;

export const bulkChangesReply = z.object({ changes: z.array(bulkChange) });
export type BulkChangesReply = z.infer<typeof bulkChangesReply>;

export const bulkCalls = {
  tag: 'Students',
  calls: {
    'POST /api/students/bulk/preview': {
      summary: 'What a change of many students would do',
      description:
        'Changes nothing. The students are named by `ids`, or are all that match `filter` but for `except`.',
      rights: ['write'],
      body: bulkPreviewInput,
      replies: { 200: bulkPreview },
      refuses: [422],
    },
    'POST /api/students/bulk': {
      summary: 'Change many students in one go, all of them or none',
      description:
        'The same as for the preview, with its `fingerprint`. 412 with a new preview when other students match by now, or some of them have been changed.',
      rights: ['write'],
      body: bulkInput,
      replies: { 201: bulkReply, 412: bulkStaleReply },
      refuses: [422],
    },
    // Not below /api/students, where it would hide a student with that ID.
    'GET /api/bulk-changes': {
      summary: 'The latest changes of many students',
      description: `At most ${BULK_CHANGES_SHOWN}, the latest first: for administrators those of everybody, for staff their own.`,
      rights: ['write'],
      replies: { 200: bulkChangesReply },
    },
    'POST /api/students/bulk/:id/undo': {
      summary: 'Undo a change of many students',
      description:
        'Students that have been changed since stay as they are. A delete is undone by an administrator or whoever made it. Called again, it answers the same.',
      rights: ['write'],
      params: z.object({ id: numberedPath }),
      replies: { 200: bulkUndoReply },
      refuses: [404],
    },
  },
} satisfies CallGroup;
