import { z } from 'zod';
import { DEPARTMENT_CODES, SYNDICATES } from '../domain/student.ts';
import { oneOf, otherwise, text } from './fields.ts';
import { studentFilter } from './student-list.ts';

/** What can be done to many students in one go. */
export const BULK_ACTIONS = ['next-semester', 'syndicate', 'department', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * Students of one bulk change. A change holds whatever it touches until all of it is stored; these keep that to a few
 * seconds (see docs/decisions/017).
 */
export const BULK_MOST = { change: 20_000, delete: 2_000 } as const;
/** Students that are named one by one, to be changed or to be left out. */
export const BULK_NAMED = 5_000;

const ids = () =>
  z
    .array(text(20), otherwise('must be a list of student IDs.'))
    .max(
      BULK_NAMED,
      `must be at most ${BULK_NAMED.toLocaleString('en')} students; narrow the list down instead.`,
    );

const meant = {
  action: oneOf(BULK_ACTIONS),
  /** Of `syndicate`: the one to put the students in. */
  syn: oneOf(SYNDICATES).optional(),
  /** Of `department`: the one to put the students in. */
  department: oneOf(DEPARTMENT_CODES).optional(),
  /** Students named one by one; or else all that match `filter`. */
  ids: ids().min(1, 'must name at least one student.').optional(),
  filter: studentFilter.optional(),
  /** Of all that match `filter`, those to leave out. */
  except: ids().optional(),
};

interface Meant {
  action: BulkAction;
  syn?: unknown;
  department?: unknown;
  ids?: unknown;
  filter?: unknown;
  except?: unknown;
}

const complete = (sent: Meant, context: z.RefinementCtx) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (sent.action === 'syndicate' && sent.syn === undefined) refuse('syn', 'field is required.');
  if (sent.action === 'department' && sent.department === undefined)
    refuse('department', 'field is required.');
  if (sent.ids === undefined && sent.filter === undefined) refuse('ids', 'must name at least one student.');
  if (sent.ids !== undefined && sent.filter !== undefined) refuse('filter', 'must not be sent beside ids.');
  if (sent.ids !== undefined && sent.except !== undefined) refuse('except', 'must not be sent beside ids.');
};

export const bulkPreviewInput = z.object(meant).superRefine(complete);
export type BulkPreviewInput = z.infer<typeof bulkPreviewInput>;

/** The same again, with the `fingerprint` of the preview that the person has agreed to. */
export const bulkInput = z.object({ ...meant, fingerprint: text(100) }).superRefine(complete);
export type BulkInput = z.infer<typeof bulkInput>;

/** What of a student a bulk change can touch, and the rest of how their class is written. */
export const bulkPlace = z.object({
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
  current_sem: z.int(),
});
export type BulkPlace = z.infer<typeof bulkPlace>;

export const bulkPreview = z.object({
  /** Stands for the change and for the students with their versions. */
  fingerprint: z.string(),
  /** Students that will be another way afterwards, or gone. */
  changing: z.int(),
  /** Students in the last semester already. */
  in_last_semester: z.int(),
  /** Students that are in the asked syndicate or department already. */
  as_asked: z.int(),
  /** Named students that there are not (any more), and the first of them. */
  unknown: z.int(),
  unknown_ids: z.array(z.string()),
  /** The first that will change; `after` is null for a delete. */
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      before: bulkPlace,
      after: bulkPlace.nullable(),
    }),
  ),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

export const bulkReply = z.object({
  message: z.string(),
  change: z.object({
    /** To undo it by. */
    id: z.int(),
    action: z.enum(BULK_ACTIONS),
    students: z.int(),
  }),
});
export type BulkReply = z.infer<typeof bulkReply>;

/** 412: other students match by now, or some have been changed; `current` is what the change would do now. */
export const bulkStaleReply = z.object({ message: z.string(), current: bulkPreview });

export const bulkUndoReply = z.object({
  message: z.string(),
  /** Students that are as they were before the change. */
  undone: z.int(),
  /** Students that had been changed since, and were left as they are. */
  left: z.int(),
});
export type BulkUndone = z.infer<typeof bulkUndoReply>;
