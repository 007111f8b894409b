import { z } from 'zod';
import { formatCount } from '../../domain/format-count.ts';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { GRADING_METHODS } from '../../domain/grading/policy.ts';
import { ROW_STATUSES } from '../../domain/marksheets/class-statistics.ts';
import { MAX_FULL_MARKS } from '../../domain/marksheets/totals.ts';
import { CREDIT_HOURS, DEPARTMENT_CODES, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import { errorsByPath } from '../errors.ts';
import {
  courseId,
  numberedPath,
  objectOnly,
  oneOf,
  optionalKey,
  optionalReason,
  optionalText,
  optionalWholeNumber,
  reason,
  requiredOr,
  studentId,
  text,
  wholeNumber,
} from '../fields.ts';

/** A sheet is filled as a draft, submitted for confirmation, and confirmed; then only a rectification changes its results. */
export const SHEET_STATES = ['draft', 'submitted', 'confirmed'] as const;
export type SheetState = (typeof SHEET_STATES)[number];

/** Why a sheet rectifies another one. */
export const RECTIFICATION_KINDS = ['totalling', 'missing-script', 'incomplete-resolved', 'appeal'] as const;
export type RectificationKind = (typeof RECTIFICATION_KINDS)[number];

export const sheetPath = z.object({ sheet_id: numberedPath });
export const rowPath = sheetPath.extend({ student_id: studentId });

export const MAX_SHEET_STUDENTS = 2_000;
const MAX_CATEGORIES = 20;
/** Components of a sheet in all. */
const MAX_COMPONENTS = 50;
/** Cells of one call. */
const MAX_CELLS = 5_000;

const semester = wholeNumber({ min: 1, max: SEMESTER_COUNT });

const phrase = { name: 60, list: (of: string) => requiredOr(`must be a list of ${of}.`) } as const;

/* Whether weights and full marks fit together is checked by `setupFaults`, which knows the marks that are entered too. */
const amount = (what: string) => z.preprocess(numberOrText, z.number(requiredOr(what)));

function numberOrText(value: unknown) {
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
}

const componentInput = z.object(
  {
    /** The key of a stored component; a new component has none. */
    component_id: optionalKey(),
    name: text(phrase.name),
    max: amount(`must be full marks of at most ${MAX_FULL_MARKS}.`),
    bonus: z.boolean('must be true or false.').optional(),
  },
  objectOnly,
);

const categoryInput = z.object(
  {
    category_id: optionalKey(),
    name: text(phrase.name),
    weight: amount('must be a percentage.'),
    best_of: optionalWholeNumber({ min: 1, max: MAX_COMPONENTS }),
    components: z.array(componentInput, phrase.list('components')),
  },
  objectOnly,
);

export const categoriesInput = z
  .array(categoryInput, phrase.list('categories'))
  .max(MAX_CATEGORIES, `must be at most ${MAX_CATEGORIES}.`)
  .refine(
    (all) => all.reduce((sum, { components }) => sum + components.length, 0) <= MAX_COMPONENTS,
    `must have at most ${MAX_COMPONENTS} components in all.`,
  );
export type CategoryInput = z.infer<typeof categoryInput>;

const credits = wholeNumber(CREDIT_HOURS);
const title = text(255);

export const studentIds = z
  .array(studentId, phrase.list('student IDs'))
  .max(MAX_SHEET_STUDENTS, `must be at most ${MAX_SHEET_STUDENTS} students.`);

/** A new sheet. The students are those of `ids`, or without any the active ones of the class. */
export const sheetInput = z
  .object({
    course_id: courseId,
    term_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }),
    /** The title of the subject as it will be recorded; by default the name of the course. */
    title: optionalText(255),
    /** The credit hours of the subject; by default those of the course. */
    credits: optionalWholeNumber(CREDIT_HOURS),
    /** The semester of the class, 1 to 8. */
    semester,
    department: oneOf(DEPARTMENT_CODES),
    degree: text(20),
    /** Empty or absent for all. */
    syn: z.array(oneOf(SYNDICATES), phrase.list('syndicates')).nullish(),
    ids: studentIds.nullish(),
    categories: categoriesInput,
  })
  .register(errorsByPath, {});
export type SheetInput = z.infer<typeof sheetInput>;

/** Title, credit hours and categories; categories and components that are not named go. */
export const sheetUpdate = z
  .object({
    title,
    credits,
    categories: categoriesInput,
    /** Components that hold marks may go. */
    discard: z.boolean('must be true or false.').optional(),
  })
  .register(errorsByPath, {});
export type SheetUpdate = z.infer<typeof sheetUpdate>;

const MAX_TEACHERS = 10;

/** Accounts, each named once. */
export const sheetTeachersInput = z.object({
  ids: z
    .array(wholeNumber({ min: 1, max: 2 ** 31 - 1 }), phrase.list('accounts'))
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= MAX_TEACHERS, `must be at most ${MAX_TEACHERS}.`),
});

export const sheetStudentsInput = z.object({ ids: studentIds.min(1, 'must name at least one student.') });

/** Students to add. `reasons` by student, and `reason` for all others, cover their warnings. */
export const addStudentsInput = sheetStudentsInput
  .extend({
    reasons: z.record(z.string(), reason(), requiredOr('must be an object.')).nullish(),
    reason: optionalReason(),
  })
  .register(errorsByPath, {});
export type AddStudentsInput = z.infer<typeof addStudentsInput>;

/** Why an administrator takes a student off the list after the last day. */
export const dropQuery = z.strictObject({ reason: optionalReason() });

const CELL = 'must be a mark, A, E or null.';

/** A mark as a number or numeric text, `A`, `E`, or null for an empty cell. The empty text is refused. */
const cellInput = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value;
    const upper = value.trim().toUpperCase();
    return upper === 'A' || upper === 'E' ? upper : numberOrText(value);
  },
  z.union([z.number(), z.literal('A'), z.literal('E'), z.null()], { error: CELL }),
);

/** Cells to store, each only if it still holds `was`. */
export const cellsInput = z
  .object({
    cells: z
      .array(
        z.object(
          {
            student_id: studentId,
            component_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }),
            value: cellInput,
            was: cellInput,
          },
          objectOnly,
        ),
        phrase.list('cells'),
      )
      .min(1, 'must name at least one cell.')
      .max(MAX_CELLS, `must be at most ${formatCount(MAX_CELLS)} cells.`),
  })
  .register(errorsByPath, {});
export type CellsInput = z.infer<typeof cellsInput>;

/** How a row ends, why, and the semester in which the student takes the course; null for that of the class. */
const rowFields = {
  status: oneOf(ROW_STATUSES),
  reason: optionalText(500),
  semester: optionalWholeNumber({ min: 1, max: SEMESTER_COUNT }),
};

/** `was` is what the change is based on. The row is refused when it holds something else; without `was` it is overwritten. */
export const sheetRowInput = z.object({ ...rowFields, was: z.object(rowFields, objectOnly).optional() });
export type SheetRowInput = z.infer<typeof sheetRowInput>;

export const sheetListQuery = z.strictObject({
  term_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }).optional(),
  course_id: courseId.optional(),
  state: oneOf(SHEET_STATES).optional(),
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
  semester: semester.optional(),
  /** The account of a teacher; `none` for sheets that are not confirmed and have no active teacher. */
  teacher: z
    .union([z.literal('none'), wholeNumber({ min: 1, max: 2 ** 31 - 1 })], {
      error: 'must be the number of an account, or none.',
    })
    .optional(),
});
export type SheetListQuery = z.infer<typeof sheetListQuery>;

export const person = z.object({ id: z.int().nullable(), name: z.string() });

export const categoryReply = z.object({
  category_id: z.int(),
  name: z.string(),
  /** Percent. */
  weight: z.number(),
  best_of: z.int().nullable(),
  components: z.array(
    z.object({ component_id: z.int(), name: z.string(), max: z.number(), bonus: z.boolean().optional() }),
  ),
});
export type SheetCategory = z.infer<typeof categoryReply>;

const cell = z.union([z.number(), z.literal('A'), z.literal('E'), z.null()]);

const attendanceParts = {
  held: z.int().nullable(),
  attended: z.int().nullable(),
  /** 0 to 100, two decimals; null where nothing was held. */
  percent: z.number().nullable(),
};
export const attendancePartReply = z.object(attendanceParts).nullable();

export const rowAttendanceReply = z.object({
  theory: attendancePartReply,
  lab: attendancePartReply,
  /** Of theory and lab together, where both have counts. */
  percent: z.number().nullable(),
  /** Below the minimum of the policy. */
  short: z.boolean(),
  /** The status that the policy proposes for it. */
  proposed: z.enum(['barred', 'withdrawn']).nullable(),
  condoned: z
    .object({
      by: z.object({ id: z.int().nullable(), name: z.string() }),
      at: z.iso.datetime(),
      reason: z.string(),
    })
    .nullable(),
});

export const sheetRowReply = z.object({
  student_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  syn: z.enum(SYNDICATES).nullable(),
  /** The semester in which the student takes the course. */
  semester: z.int(),
  status: z.enum(ROW_STATUSES),
  reason: z.string().nullable(),
  attendance: rowAttendanceReply.nullable(),
  /** Marks by component; an empty cell is null. */
  cells: z.record(z.string(), cell),
  /** 0 to 100, two decimals; null while a cell is empty. */
  total: z.number().nullable(),
  /** The marks earned so far, of which part of the total; null with a total. */
  so_far: z.object({ score: z.number(), of: z.number() }).nullable(),
  /** The letter by the boundaries of the sheet as they are now; null without them or without a total. */
  letter: z.enum(GRADE_LETTERS).nullable(),
  points: z.number().nullable(),
  /** The attempt at the course: one more than the results recorded before. */
  attempt: z.int(),
  /** Why the row can't be confirmed, or a left one be recorded; null if it can. */
  blocked: z.string().nullable(),
  /** False for a row that the confirmation left: its result is not in the record yet. Null before the confirmation. */
  recorded: z.boolean().nullable(),
});
export type SheetRowReply = z.infer<typeof sheetRowReply>;

/** Parameters of a method that replace rules of the policy; a missing one is that of the policy. */
export const methodParams = z.object({
  k: z.array(z.number()).optional(),
  quotas: z.array(z.number()).optional(),
  boundaries: z.array(z.number()).optional(),
});
export type MethodParams = z.infer<typeof methodParams>;

export const teacher = z.object({
  id: z.int(),
  name: z.string(),
  /** False while the account is locked, or has become a viewer's. */
  active: z.boolean(),
});
export type SheetTeacher = z.infer<typeof teacher>;

const sheetFields = {
  sheet_id: z.int(),
  course_id: z.int(),
  course_code: z.string(),
  course_name: z.string(),
  term_id: z.int(),
  term_name: z.string(),
  title: z.string(),
  credits: z.int(),
  semester: z.int(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  /** The syndicates it was made for; empty for all. */
  syn: z.array(z.enum(SYNDICATES)),
  state: z.enum(SHEET_STATES),
  version: z.int(),
  /** A draft has the policy that applies now; submission fixes it. */
  policy_id: z.int(),
  method: z.enum(GRADING_METHODS),
  params: methodParams,
  step: z.number(),
  /** The lowest totals of A to D. Those of the list are the stored ones; a single sheet shows the proposal until some are stored. */
  boundaries: z.array(z.number()).nullable(),
  /** Whether the boundaries are stored, and why they were moved by hand. */
  boundaries_stored: z.boolean(),
  boundaries_reason: z.string().nullable(),
  /** Statistics of the population, two decimals. */
  stats: z.object({ n: z.int(), mean: z.number().nullable(), std_dev: z.number().nullable() }),
  /** The sheet that this one rectifies, and why. */
  rectifies: z.int().nullable(),
  rectify_kind: z.enum(RECTIFICATION_KINDS).nullable(),
  rectify_reason: z.string().nullable(),
  /** The confirmed sheet that rectifies this one. */
  rectified_by: z.int().nullable(),
  submitted_by: person.nullable(),
  submitted_at: z.iso.datetime().nullable(),
  /** Why warnings were passed over, by rule. */
  submit_reasons: z.record(z.string(), z.string()),
  /** The person who made the submitted sheet a draft again, if not its submitter; null before and once it is submitted again. */
  sent_back: z.object({ by: person, at: z.iso.datetime(), reason: z.string() }).nullable(),
  confirmed_by: person.nullable(),
  confirmed_at: z.iso.datetime().nullable(),
  /** SHA-256 of what was confirmed. */
  checksum: z.string().nullable(),
  /** Number of the notification that made its results final. */
  notification: z.int().nullable(),
  /** The key of the row of the scheme that it is for; null without a scheme. */
  scheme_row: z.string().nullable(),
  /** In the order in which they were named. */
  teachers: z.array(teacher),
  created_by: person.nullable(),
  created_at: z.iso.datetime(),
};

export const sheetReply = z.object({
  ...sheetFields,
  categories: z.array(categoryReply),
  rows: z.array(sheetRowReply),
  /** False where the scheme of studies has the course without a lab. */
  may_have_lab: z.boolean(),
  /** It was submitted once, so it can't be deleted. */
  was_submitted: z.boolean(),
});
export type Sheet = z.infer<typeof sheetReply>;

export const sheetListItem = z.object({
  ...sheetFields,
  students: z.int(),
  /** The share of all cells that have a mark, 0 to 1, two decimals. */
  filled_share: z.number(),
  /** Empty cells of rows that are to be graded, of all their cells. */
  missing: z.object({ cells: z.int(), of: z.int() }),
});
export type SheetListItem = z.infer<typeof sheetListItem>;

/** The newest first. */
export const sheetListReply = z.array(sheetListItem);
export const sheetShowReply = z.object({ sheet: sheetReply });
export const sheetSavedReply = z.object({ message: z.string(), sheet: sheetReply });

/** `conflicts` are cells that hold another value than `was`; they were left. */
export const cellsReply = z.object({
  version: z.int(),
  stored: z.int(),
  conflicts: z.array(z.object({ student_id: z.string(), component_id: z.int(), is: cell })),
  /** The rows of the students that were named, as they are now. */
  rows: z.array(sheetRowReply),
});
export type CellsReply = z.infer<typeof cellsReply>;

export const sheetRowSavedReply = z.object({
  message: z.string(),
  version: z.int(),
  row: sheetRowReply,
});

/** 412: the row as it is stored now. */
export const sheetRowStaleReply = z.object({ message: z.string(), current: sheetRowReply });

/* Data of the server-sent events of a sheet. */

/** Rows in which cells or status changed. */
export const cellsEvent = z.object({ version: z.int(), rows: z.array(sheetRowReply) });
export type CellsEvent = z.infer<typeof cellsEvent>;
/** State, set-up, students or boundaries changed: the sheet is to be read again. */
export const stateEvent = z.object({ version: z.int(), state: z.enum(SHEET_STATES) });
export type StateEvent = z.infer<typeof stateEvent>;
/** The people who have the sheet open, each once. */
export const peopleEvent = z.object({ people: z.array(z.object({ id: z.int(), name: z.string() })) });
export type PeopleEvent = z.infer<typeof peopleEvent>;
