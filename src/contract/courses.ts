import { z } from 'zod';
import { CREDIT_HOURS } from '../domain/student.ts';
import { courseId, optionalLines, optionalWholeNumber, requiredOr, text } from './fields.ts';

const details = {
  course_code: text(),
  course_name: text(),
  course_description: optionalLines(10_000),
};

/** Those of a subject, so that a course can fill any subject. */
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

/**
 * Marks of a course: delimited text, or a file in a multipart form (`file` or `selectedFile`). They replace the existing
 * marks unless `mode` is `append`.
 */
export const marksInput = z.object({
  course_id: courseId,
  marks: z.string(requiredOr('must be text.')).nullish(),
  mode: z.preprocess(
    (value) => value ?? 'replace',
    z.enum(['replace', 'append'], requiredOr('must be replace or append.')),
  ),
});

export const histogramReply = z.array(z.object({ bin: z.int(), count: z.int() }));
export type Histogram = z.infer<typeof histogramReply>;

/** A course; `average` and `std_dev` (of the population) are null and `histogram` is empty without marks. */
export const courseReply = z.object({
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

export const courseCreatedReply = z.object({ message: z.string(), course: courseReply });

export const courseListReply = z.array(courseReply.extend({ histogram: histogramReply }));
export type CourseListItem = z.infer<typeof courseListReply>[number];

export const courseShowReply = z.object({
  canProceed: z.boolean(),
  course: courseReply.optional(),
  message: z.string(),
});
