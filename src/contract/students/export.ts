import { z } from 'zod';
import { EXPORT_COLUMNS } from '../../domain/export-columns.ts';
import { formatCount } from '../../domain/format-count.ts';
import { type CallGroup, fileReply } from '../calls.ts';
import { objectOnly, oneOf, requiredOr, studentId } from '../fields.ts';
import { studentView } from './student-list.ts';

/** File formats of an export. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Most students named by id in one call, in `ids` or `except`. */
const MAX_NAMED_STUDENTS = 5_000;

const named = () =>
  z
    .array(studentId, requiredOr('must be a list of ids.'))
    .min(1, 'must name at least one student.')
    .max(
      MAX_NAMED_STUDENTS,
      `At most ${formatCount(MAX_NAMED_STUDENTS)} students can be named one by one. Take all that match, or narrow the list down.`,
    );

const namedInAddress = () =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), named());

/** Separators of a CSV. Excel expects the one of its language: a semicolon in German and French, for example. */
export const CSV_SEPARATORS = ['comma', 'semicolon'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/** `subjects`: a row for each subject of a student's results; `courses`: a column for each course, with its grades. */
export const EXPORT_RESULTS = ['none', 'subjects', 'courses'] as const;
export type ExportResults = (typeof EXPORT_RESULTS)[number];

/** A column for each course needs all students before the first row is sent. */
export const MAX_COURSE_COLUMNS = { students: 5_000, courses: 500 } as const;

const columns = () =>
  z
    .array(oneOf(EXPORT_COLUMNS), requiredOr('must be a list of columns.'))
    .min(1, 'must name at least one column.');

const columnsInAddress = () =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), columns());

const results = oneOf(EXPORT_RESULTS).default('none');

/** Adds a byte order mark, without which Excel does not recognise UTF-8. */
const bom = oneOf(['true']).optional();

const NOT_BOTH = { error: 'must not be given together with ids.', path: ['except'] };
const isNotBoth = ({ ids, except }: { ids?: unknown; except?: unknown }) =>
  ids === undefined || except === undefined;

/** The students named by `ids`, ignoring the filter, or all of the view except `except`, in the order of the view. */
export const exportQuery = z
  .strictObject({
    ...studentView.shape,
    bom,
    separator: oneOf(CSV_SEPARATORS).default('comma'),
    columns: columnsInAddress().optional(),
    results,
    ids: namedInAddress().optional(),
    except: namedInAddress().optional(),
  })
  .refine(isNotBoth, NOT_BOTH);

/** The same selection as a body, for selections too long for a URL. */
export const exportBody = z.object({
  view: studentView.default({}),
  selection: z
    .strictObject({ ids: named().optional(), except: named().optional() }, objectOnly)
    .refine(isNotBoth, NOT_BOTH)
    .default({}),
  bom: z.boolean('must be true or false.').default(false),
  separator: oneOf(CSV_SEPARATORS).default('comma'),
  /** All by default. */
  columns: columns().optional(),
  results,
});
export type ExportBody = z.input<typeof exportBody>;

/** Progress of an export. */
export const exportProgress = z.object({
  rows: z.int(),
  /** Bytes sent so far. Compared with the bytes received, they show how many of the rows have arrived. */
  bytes: z.int(),
  total: z.int(),
  total_is: z.enum(['exact', 'estimate', 'minimum']),
});
export type ExportProgress = z.infer<typeof exportProgress>;

const ofFile = { rights: ['read'], replies: { 200: fileReply }, refuses: [422, 429] } as const;
const inAddress = {
  description:
    'Those named by `ids`, or all but `except`, separated by commas. `separator` is what stands between the cells of a CSV: `comma` (without it) or `semicolon`. `columns` names those wanted, separated by commas; `results` adds a row for each subject (`subjects`) or a column for each course (`courses`, at most 5,000 students). `X-Export-Id` is what to ask for its progress by, `X-Total-Rows` says how many rows are to come and `X-Total-Is` how sure that is.',
  query: exportQuery,
  ...ofFile,
};
const inBody = { body: exportBody, ...ofFile };

export const exportCalls = {
  tag: 'Exports',
  calls: {
    'GET /api/exports/students.csv': { summary: 'The students of a view as CSV', ...inAddress },
    'POST /api/exports/students.csv': {
      summary: 'The same, for a selection too long for an address: students as CSV',
      ...inBody,
    },
    'GET /api/exports/students.xlsx': {
      summary: 'The students of a view as an Excel workbook',
      ...inAddress,
    },
    'POST /api/exports/students.xlsx': {
      summary: 'The same, for a selection too long for an address: students as an Excel workbook',
      ...inBody,
    },
    'GET /api/exports/:id/progress': {
      summary: 'How far an export of one’s own has come',
      rights: ['read'],
      params: z.object({ id: z.uuid() }),
      replies: { 200: exportProgress },
      refuses: [404],
    },
  },
} satisfies CallGroup;
