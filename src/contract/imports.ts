import { z } from 'zod';
import { DECIMAL_MARKS } from '../domain/columns/cells.ts';
import { ABSENT_RULES } from '../domain/marks.ts';
import {
  COURSE_IDS,
  objectOnly,
  oneOf,
  optionalKey,
  optionalReason,
  optionalText,
  optionalWholeNumber,
  requiredOr,
} from './fields.ts';

/** `students`: base records with their families. `marks`: those of one course. `scheme`: the rows of a draft. */
export const IMPORT_KINDS = ['students', 'results', 'courses', 'marks', 'scheme'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Limits of one file, without the headings. */
export const MAX_IMPORT_ROWS = 50_000;
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;
/** Hours after which an import that has not been applied is deleted. */
export const IMPORT_KEPT_HOURS = 24;

export const IMPORT_STATES = ['uploaded', 'previewed', 'applying', 'applied', 'undone', 'cancelled'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_ROW_STATES = ['create', 'update', 'unchanged', 'refused'] as const;
export type ImportRowState = (typeof IMPORT_ROW_STATES)[number];

export const DATE_ORDERS = ['day-first', 'month-first'] as const;
/** The warning of a row that names another person than the record of its ID. */
export const OTHER_PERSON = 'other-person';

export type DateOrder = (typeof DATE_ORDERS)[number];

/** Which records an import may write: only new ones, only existing ones, or both. */
export const IMPORT_MODES = ['create', 'update', 'both'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** The results of a student are a row per subject, or a row per semester with a column per course. */
export const RESULT_LAYOUTS = ['row-per-subject', 'column-per-course'] as const;
export type ResultLayout = (typeof RESULT_LAYOUTS)[number];

/** How a full name is divided: its last word, or all but its first word, is the last name. */
export const NAME_SPLITS = ['last-word', 'first-word'] as const;
export type NameSplit = (typeof NAME_SPLITS)[number];

/** A multipart form with a `file` (CSV or XLSX), or delimited `text`. */
export const importInput = z.object({
  kind: oneOf(IMPORT_KINDS),
  text: z.string(requiredOr('must be text.')).nullish(),
  /** The course of an import of marks. */
  course_id: optionalWholeNumber(COURSE_IDS),
  /** The draft of an import of a scheme. */
  scheme_id: optionalKey(),
  /** The sheet of a workbook; without it, the first one that is not hidden and has headings and rows. */
  sheet: optionalText(),
  /** How decimals of marks are written; this goes before the choice of the preview. */
  decimal: z.preprocess(
    (value) => (value === '' ? null : value),
    z.enum(DECIMAL_MARKS, requiredOr('must be comma or point.')).nullish(),
  ),
});
export type ImportInput = z.infer<typeof importInput>;

const columnIndex = z
  .int(requiredOr('must name columns by their numbers.'))
  .min(0, 'must name columns by their numbers.');
const line = z.int(requiredOr('must be the number of a line.')).min(1, 'must be the number of a line.');

/** Lines whose rows are imported although they name another person than the record; without it they are refused. */
const accept = z.array(line).max(MAX_IMPORT_ROWS, 'must be at most 50,000 lines.').default([]);

/** How the file is read. What is left out is as recognised. */
export const importPreviewInput = z.object(
  {
    /** The column of each field that is read. Without it, as recognised from the headings and earlier imports. */
    mapping: z.record(z.string(), columnIndex, objectOnly).optional(),
    /** The order of day and month by the number of the column. */
    date_orders: z.record(z.string(), z.enum(DATE_ORDERS), objectOnly).optional(),
    /** One value for all rows, for a field without a column. */
    values: z.record(z.string(), z.string(), objectOnly).optional(),
    mode: z.enum(IMPORT_MODES).default('both'),
    /** For a column with full names. */
    name_split: z.enum(NAME_SPLITS).optional(),
    /** How decimals of marks are written, where a comma may separate two marks. */
    decimal: z.enum(DECIMAL_MARKS, requiredOr('must be comma or point.')).optional(),
    /** Rows of marks such as `Absent` are refused, or are left out. */
    absent: z.enum(ABSENT_RULES, requiredOr('must be refuse or leave_out.')).default('refuse'),
    /** For results. */
    layout: z.enum(RESULT_LAYOUTS).default('row-per-subject'),
    /** Cells corrected in the preview. */
    fixes: z
      .array(z.object({ line, field: z.string().max(100), value: z.string().max(10_000) }, objectOnly))
      .max(5_000, 'must be at most 5,000 corrections; correct the file instead.')
      .default([]),
    accept,
  },
  objectOnly,
);
export type ImportPreviewInput = z.infer<typeof importPreviewInput>;

/** Rows by their state. */
const counts = z.object({
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  refused: z.int(),
});
export type ImportCounts = z.infer<typeof counts>;

const person = z.object({ id: z.int(), name: z.string() });

export const importColumn = z.object({
  /** The number of the column, from 0. */
  index: z.int(),
  heading: z.string(),
  /** The first values that are not blank, at most three. */
  samples: z.array(z.string()),
  /** The field that the column was recognised as. */
  field: z.string().nullable(),
  /** The order of dates; null for other columns, for ISO dates alone, and where it is ambiguous. */
  date_order: z.enum(DATE_ORDERS).nullable(),
  /** Every date of the column can be read in both orders. */
  ambiguous: z.boolean(),
  /** The column is one of several that may have the marks. The preview asks which one has. */
  may_have_marks: z.boolean().default(false),
  /** Words of cells for absent students, each text once, at most three; only of marks. */
  absent: z.array(z.string()).default([]),
});
export type ImportColumn = z.infer<typeof importColumn>;

const importField = z.object({
  field: z.string(),
  label: z.string(),
  required: z.boolean(),
  is_date: z.boolean(),
  /** The fields that this one gives, so that they need no column of their own. */
  gives: z.array(z.string()),
});
export type ImportField = z.infer<typeof importField>;

const undoResult = z.object({ at: z.iso.datetime(), by: person.nullable(), undone: z.int(), kept: z.int() });

/** An import in the list. */
export const importSummary = z.object({
  import_id: z.int(),
  kind: z.enum(IMPORT_KINDS),
  state: z.enum(IMPORT_STATES),
  /** The course of an import of marks. */
  course_id: z.int().nullable(),
  /** Of an import of a scheme; absent on others. */
  scheme_id: z.int().optional(),
  /** Null for pasted text. */
  file_name: z.string().nullable(),
  /** The sheet of a workbook. */
  sheet: z.string().nullable(),
  /** Without the headings. */
  rows: z.int(),
  created_at: z.iso.datetime(),
  /** Null after the account was deleted. */
  created_by: person.nullable(),
  /** The counts of the latest preview; null before it. */
  counts: counts.nullable(),
  /** While it is being applied. */
  progress: z.object({ done: z.int(), of: z.int() }).nullable(),
  applied_at: z.iso.datetime().nullable(),
  /** Refused rows were left out. */
  partial: z.boolean(),
  undo: undoResult.nullable(),
});
export type ImportSummary = z.infer<typeof importSummary>;

/** Newest first. */
export const importListReply = z.array(importSummary);

export const importReply = importSummary.extend({
  /** Such as `utf-8`, `utf-16le` and `windows-1252`; null for a workbook and pasted text. */
  encoding: z.string().nullable(),
  /** Values with other than ASCII letters, at most five, where the encoding was not certain; empty otherwise. */
  encoding_samples: z.array(z.string()),
  /** Null for a workbook. */
  delimiter: z.string().nullable(),
  /** The sheets of a workbook. */
  sheets: z.array(z.string()),
  /**
   * The lines that the sheet of a workbook hides, as a filter does, in stretches with their first and last line. They are
   * imported as the others.
   */
  hidden_lines: z.array(z.tuple([z.int(), z.int()])),
  /**
   * A cell of marks such as `67,5`, where it may be one mark or two, so that the preview needs `decimal`; null otherwise.
   */
  decimal_sample: z.string().nullable(),
  /** The line with the headings, from 1. */
  heading_line: z.int(),
  columns: z.array(importColumn),
  /** All that can be imported, in the order of the template. */
  fields: z.array(importField),
  /** Columns with the grades of a course, if results have a column per course. Their field is `grade` and the heading. */
  course_columns: z.array(z.int()),
  /** How the latest preview read the file; null before it. */
  choices: importPreviewInput.nullable(),
  /** The fingerprint of the latest preview, for applying it; null before it. */
  fingerprint: z.string().nullable(),
  /** Why only an administrator applies the latest preview, with a reason; null where anybody does. */
  needs_reason: z.string().nullable(),
});
export type Import = z.infer<typeof importReply>;

export const importCreatedReply = z.object({ import: importReply });

/** Covers the file, the choices and the versions of the records that would change. */
export const importPreview = z.object({
  fingerprint: z.string(),
  counts,
  /** Always empty: a preview that lacks a field is refused with a 422 on `mapping`. */
  unmapped_required: z.array(z.string()),
  /** Always empty: a preview with an undecided column is refused with a 422 on `date_orders`. */
  ambiguous_columns: z.array(z.int()),
});
export type ImportPreview = z.infer<typeof importPreview>;

export const importRowsQuery = z.strictObject({
  state: z.enum(IMPORT_ROW_STATES).optional(),
  /** Text that any of the cells contains. */
  q: optionalText().optional(),
  order: z.enum(['line', 'refused-first']).default('line'),
  limit: z.coerce.number().int().min(1).max(200).default(100),
  cursor: optionalText().optional(),
});
export type ImportRowsQuery = z.infer<typeof importRowsQuery>;

export const importRow = z.object({
  /** The line of the file on which the row begins, the first one being 1; of a workbook, the number of the row. */
  line: z.int(),
  state: z.enum(IMPORT_ROW_STATES),
  /** The student ID, `id/semester/slot`, or the course ID; null where it can't be read. */
  key: z.string().nullable(),
  /** The name in the records of the student whom the row names by ID; null where there is none. */
  name: z.string().nullable(),
  /** The cells as text, in the order of the columns, with the corrections. */
  cells: z.array(z.string()),
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** Texts by field. */
  errors: z.record(z.string(), z.array(z.string())),
  /** Values that are probably mistakes, by field; `other-person` of a row that names another person than the record. */
  warnings: z.record(z.string(), z.array(z.string())),
});
export type ImportRow = z.infer<typeof importRow>;

export const importRowsReply = z.object({ rows: z.array(importRow), next_cursor: z.string().nullable() });
export type ImportRows = z.infer<typeof importRowsReply>;

export const importApplyInput = z.object(
  {
    fingerprint: z.string(requiredOr('must be text.')).max(100),
    partial: z.boolean().default(false),
    /** Beside those of the preview. */
    accept,
    /** Where it changes results that come from mark sheets. */
    reason: optionalReason(),
  },
  objectOnly,
);
export type ImportApplyInput = z.infer<typeof importApplyInput>;

export const importAppliedReply = z.object({ message: z.string(), import: importReply });
export const importStaleReply = z.object({ message: z.string(), current: importPreview });

/** A record that an undo keeps, and why; with the name of the student, if it is of one who still exists. */
const keptRecord = z.object({ key: z.string(), name: z.string().nullable(), reason: z.string() });

export const importUndoPreview = z.object({
  fingerprint: z.string(),
  /** Records that go back. */
  undone: z.int(),
  /** At most 200. */
  kept: z.array(keptRecord),
  kept_count: z.int(),
  /** Why the undo is refused as a whole. */
  refused: z.string().nullable(),
  /** Why only an administrator undoes it, with a reason; null where anybody does. */
  needs_reason: z.string().nullable(),
});
export type ImportUndoPreview = z.infer<typeof importUndoPreview>;

export const importUndoInput = z.object(
  { fingerprint: z.string(requiredOr('must be text.')).max(100), reason: optionalReason() },
  objectOnly,
);
export const importUndoneReply = z.object({
  message: z.string(),
  undone: z.int(),
  /** At most 200. */
  kept: z.array(keptRecord),
  kept_count: z.int(),
  import: importReply,
});
export type ImportUndone = z.infer<typeof importUndoneReply>;
export const importUndoStaleReply = z.object({ message: z.string(), current: importUndoPreview });
