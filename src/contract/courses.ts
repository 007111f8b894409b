import { z } from 'zod';
import { DECIMAL_MARKS } from '../domain/columns/cells.ts';
import { ABSENT_RULES, COURSE_MARK } from '../domain/marks.ts';
import { CREDIT_HOURS } from '../domain/student.ts';
import type { CallGroup } from './calls.ts';
import {
  courseId,
  decimalNumber,
  optionalLines,
  optionalText,
  optionalWholeNumber,
  requiredOr,
  text,
} from './fields.ts';

const details = {
  course_code: text(),
  course_name: text(),
  course_description: optionalLines(10_000),
};

/** The credit hours that a subject may have, so that a course can fill any subject. */
const credits = optionalWholeNumber(CREDIT_HOURS);

export const courseInput = z.object({ course_id: courseId, ...details, credits });
export type CourseInput = z.infer<typeof courseInput>;

/**
 * New code, name, description and credit hours. The number is the one in the path and cannot be changed. Without `credits`
 * they stay as they are.
 */
export const courseUpdate = z.object({
  course_id: courseId.optional(),
  ...details,
  credits: credits.optional(),
});

/** A mark of a course, as an import has it. */
export const markInput = z.object({
  marks: decimalNumber(
    COURSE_MARK,
    `must be a number from ${COURSE_MARK.min} to ${COURSE_MARK.max}.`,
    () => true,
  ),
});

/** A sheet of a workbook; the first one without it. */
const sheet = optionalText();

/**
 * Marks of a course: delimited text, or a file in a multipart form (`file` or `selectedFile`), with text or a workbook. They
 * replace the existing marks unless `mode` is `append`. Cells such as `Absent` are refused unless they are left out. Where several
 * columns may have the marks, or a comma may be a decimal comma, `column` or `decimal` has to say it.
 */
export const marksInput = z.object({
  course_id: courseId,
  marks: z.string(requiredOr('must be text.')).nullish(),
  mode: z.preprocess(
    (value) => value ?? 'replace',
    z.enum(['replace', 'append'], requiredOr('must be replace or append.')),
  ),
  absent: z.preprocess(
    (value) => value ?? 'refuse',
    z.enum(ABSENT_RULES, requiredOr('must be refuse or leave_out.')),
  ),
  sheet,
  /** The column of marks, if several may have them: its number from 1, or its heading. */
  column: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), optionalText()),
  /** How decimals are written, where `67,5` may be one mark or two. */
  decimal: z.preprocess(
    (value) => (value === '' ? null : value),
    z.enum(DECIMAL_MARKS, requiredOr('must be comma or point.')).nullish(),
  ),
});

/** A workbook in a multipart form (`file`). */
const marksSheetInput = z.object({ sheet });

/** A sheet as tab-separated text, a line for each row, with the names of all sheets that are not hidden. */
export const marksSheetReply = z.object({ sheets: z.array(z.string()), sheet: z.string(), text: z.string() });
export type MarksSheet = z.infer<typeof marksSheetReply>;

export const histogramReply = z.array(z.object({ bin: z.int(), count: z.int() }));
export type Histogram = z.infer<typeof histogramReply>;

/** A course; `average` and `std_dev` (of the population) are null and `histogram` is empty without marks. */
const courseReply = z.object({
  course_id: z.int(),
  course_code: z.string(),
  course_name: z.string(),
  course_description: z.string().nullable(),
  credits: z.int().nullable(),
  average: z.number().nullable(),
  std_dev: z.number().nullable(),
  marks_count: z.int(),
});
export type Course = z.infer<typeof courseReply>;

/** Counts of all that names a course: graded results, mark sheets, and marks of the course. */
const courseUsesReply = z.object({ results: z.int(), sheets: z.int(), marks: z.int() });
export type CourseUses = z.infer<typeof courseUsesReply>;

export const courseCreatedReply = z.object({ message: z.string(), course: courseReply });

/** With the rows of the upload that are no student's, such as one of full marks; at most ten. */
export const marksUploadedReply = courseCreatedReply.extend({
  left_out: z.array(z.object({ line: z.int(), text: z.string() })),
});

export const courseListReply = z.array(courseReply.extend({ histogram: histogramReply }));
export type CourseListItem = z.infer<typeof courseListReply>[number];

export const courseShowReply = z.object({
  canProceed: z.boolean(),
  course: courseReply.optional(),
  message: z.string(),
});

/** Any text: what is no number of a course names none. */
const coursePath = z.object({ course_id: z.string() });

export const courseCalls = {
  tag: 'Courses',
  calls: {
    'GET /api/courses': {
      summary: 'All courses with their histograms',
      rights: ['read'],
      replies: { 200: courseListReply },
    },
    'GET /api/courses/:course_id': {
      summary: 'One course',
      description: 'canProceed is false, with a message, when there is no such course.',
      rights: ['read'],
      params: coursePath,
      replies: { 200: courseShowReply },
    },
    'GET /api/courses/histogram/:course_id': {
      summary: "Histogram of a course's marks",
      rights: ['read'],
      params: coursePath,
      replies: { 200: histogramReply },
      refuses: [404],
    },
    'GET /api/courses/:course_id/uses': {
      summary: 'How many results and mark sheets name a course, and how many marks it has',
      rights: ['read'],
      params: coursePath,
      replies: { 200: courseUsesReply },
      refuses: [404],
    },
    'POST /api/courses': {
      summary: 'Add a course',
      rights: ['write'],
      body: courseInput,
      replies: { 201: courseCreatedReply },
      refuses: [422],
    },
    'PUT /api/courses/:course_id': {
      summary: 'Change what a course is called',
      rights: ['write'],
      params: coursePath,
      body: courseUpdate,
      replies: { 200: courseCreatedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/courses/:course_id': {
      summary: 'Delete a course',
      description: 'Results that name it keep its title, number and credit hours.',
      rights: ['write'],
      params: coursePath,
      replies: { 204: z.null() },
      refuses: [404, 412],
    },
    'POST /api/courses-marks': {
      summary: 'Upload the marks of a course',
      description:
        'Where several columns may have the marks, a 422 on columns names them, and column answers it; where a comma may be a decimal comma, a 422 on decimal asks.',
      rights: ['write'],
      body: marksInput,
      replies: { 201: marksUploadedReply },
      refuses: [412, 422],
    },
    'POST /api/courses-marks/sheet': {
      summary: 'The text of a sheet of a workbook, for a preview of its marks',
      description: 'Stores nothing. The marks are read from this text as from any other.',
      rights: ['write'],
      body: marksSheetInput,
      replies: { 200: marksSheetReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
