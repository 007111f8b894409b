import { z } from 'zod';
import { oneOf, otherwise } from './fields.ts';
import { studentId } from './student-id.ts';
import { studentView } from './student-list.ts';

/** Kinds of file that the list of students goes out as. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Students that one call can name; whoever wants more names those that are left out, or none. */
const NAMED_STUDENTS = 5_000;

const named = () =>
  z
    .array(studentId, otherwise('must be a list of ids.'))
    .min(1, 'must name at least one student.')
    .max(
      NAMED_STUDENTS,
      `At most ${NAMED_STUDENTS.toLocaleString('en')} students can be named one by one. Take all that match, or narrow the list down.`,
    );

const namedInAddress = () =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), named());

/** Begins the CSV with the mark by which Excel knows UTF-8. */
const bom = oneOf(['true']).optional();

const EITHER = { error: 'must not be given together with ids.', path: ['except'] };
const isEither = ({ ids, except }: { ids?: unknown; except?: unknown }) =>
  ids === undefined || except === undefined;

/** The view, and which of its students: `ids` alone, whatever the filter, or all of the view but `except`. */
export const exportQuery = z
  .strictObject({
    ...studentView.shape,
    bom,
    ids: namedInAddress().optional(),
    except: namedInAddress().optional(),
  })
  .refine(isEither, EITHER);

/** The same as a body, for selections too long for an address. */
export const exportBody = z.strictObject({
  view: studentView.default({}),
  selection: z
    .strictObject({ ids: named().optional(), except: named().optional() })
    .refine(isEither, EITHER)
    .default({}),
  bom: z.boolean('must be true or false.').default(false),
});
export type ExportBody = z.input<typeof exportBody>;

/** How far an export has come. */
export const exportProgress = z.object({
  rows: z.int(),
  /** Of the file so far. What the caller has of them tells how many of the rows have arrived. */
  bytes: z.int(),
  total: z.int(),
  total_is: z.enum(['exact', 'estimate', 'minimum']),
});
export type ExportProgress = z.infer<typeof exportProgress>;
