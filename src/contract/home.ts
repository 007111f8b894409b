import { z } from 'zod';
import { HOLD_KINDS } from '../domain/holds.ts';
import { DEPARTMENT_CODES, SYNDICATES } from '../domain/student.ts';
import type { CallGroup } from './calls.ts';

/** Items of a list; `count` says how many there are in all. */
export const HOME_ITEMS = 5;

/** The steps of setting up a new faculty, in this order. */
export const SETUP_STEPS = ['institution', 'term', 'courses', 'students', 'colleague', 'scheme'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** A list of what is waiting; null for people whose role can do nothing about it, and for what does not exist yet. */
const waiting = <Item extends z.ZodType>(item: Item) =>
  z.object({ count: z.int(), items: z.array(item) }).nullable();

/** A list that nothing can be in yet. */
const notYet = waiting(z.object({}));

const someone = z.object({ id: z.int().nullable(), name: z.string() });
const classFields = {
  term_id: z.int(),
  term_name: z.string(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  /** The semester of the class, 1 to 8. */
  semester: z.int(),
};
const sheetFields = {
  sheet_id: z.int(),
  course_code: z.string(),
  title: z.string(),
  ...classFields,
  /** Empty for all syndicates. */
  syn: z.array(z.enum(SYNDICATES)),
};

/** Submitted mark sheets that this administrator may confirm, the longest waiting first. */
const toConfirm = z.object({
  ...sheetFields,
  submitted_by: someone.nullable(),
  submitted_at: z.iso.datetime(),
});
/** Drafts that this person made or teaches, the oldest first. `missing`: empty cells of rows that are to be graded, of all their cells. */
const ownDraft = z.object({
  ...sheetFields,
  students: z.int(),
  missing: z.object({ cells: z.int(), of: z.int() }),
});
/** Drafts that this person submitted and somebody else made drafts again, the longest waiting first. */
const sentBack = z.object({ ...sheetFields, by: someone, at: z.iso.datetime(), reason: z.string() });
/** Classes of which all mark sheets of a term are confirmed and the results not final yet. */
const readyToNotify = z.object({ ...classFields, sheets: z.int(), students: z.int() });
/** Classes with incomplete entries, those with the most first; `count` is the number of students. */
const incompleteEntries = z.object({
  department: z.enum(DEPARTMENT_CODES),
  current_sem: z.int(),
  syn: z.enum(SYNDICATES),
  students: z.int(),
  incomplete: z.int(),
});
/** Accounts that wait for approval, the oldest first. */
const toApprove = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  created_at: z.iso.datetime(),
});

/** Active holds that end within 14 days, the next end first. */
const endingHold = z.object({
  hold_id: z.int(),
  student_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  kind: z.enum(HOLD_KINDS),
  until: z.iso.date(),
});

/** Students whose records are asked for at once. */
const MAX_OPENED = 10;

const homeQuery = z.strictObject({
  /** IDs of students, with commas: the records that this person opened last. */
  opened: z
    .string()
    .max(1_000, 'must be at most 1,000 characters.')
    .transform((ids) => ids.split(',').filter(Boolean).slice(0, MAX_OPENED))
    .optional(),
});

/** A student of `opened`. Deleted ones are left out. */
const openedStudent = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
  is_complete: z.boolean(),
});

export const homeReply = z.object({
  to_confirm: waiting(toConfirm),
  own_drafts: waiting(ownDraft),
  sent_back: waiting(sentBack),
  without_teacher: waiting(z.object(sheetFields)),
  open_registrations: notYet,
  ready_to_notify: waiting(readyToNotify),
  incomplete_entries: waiting(incompleteEntries),
  requests: notYet,
  holds_ending: waiting(endingHold),
  to_approve: waiting(toApprove),
  /** The students in the order of the query. */
  opened: z.array(openedStudent),
  /** The term in which today is. */
  term: z.object({ name: z.string(), starts_on: z.iso.date(), ends_on: z.iso.date() }).nullable(),
  /** Which steps are done already; null once all are, and for everybody but administrators. */
  setup: z.array(z.object({ step: z.enum(SETUP_STEPS), done: z.boolean() })).nullable(),
  /**
   * The scheduled backups: the folder on the server, the hours between two, and when the latest good one was begun, null before
   * the first. Null where none are scheduled, and for everybody but administrators.
   */
  backups: z
    .object({ folder: z.string(), every_hours: z.number(), latest_at: z.iso.datetime().nullable() })
    .nullable(),
});
export type Home = z.infer<typeof homeReply>;

export const homeCalls = {
  tag: 'Home',
  calls: {
    'GET /api/home': {
      summary: 'What is waiting for the person who is signed in',
      description: `Each list has how many there are and the first ${HOME_ITEMS}; null for people whose role can do nothing about it.`,
      rights: ['account'],
      query: homeQuery,
      replies: { 200: homeReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
