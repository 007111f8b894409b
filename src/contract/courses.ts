import { z } from 'zod';
import { courseId } from './course-id.ts';
import { optionalText, otherwise, text } from './fields.ts';

const details = {
  course_code: text(),
  course_name: text(),
  course_description: optionalText(10_000),
};

export const courseInput = z.object({ course_id: courseId, ...details });
export type CourseInput = z.infer<typeof courseInput>;

/** What a course is called; its number is the path's and can't be changed. */
export const courseUpdate = z.object({ course_id: courseId.optional(), ...details });

/**
 * Marks for a course: as delimited text, or as a file in a multipart form (`file`, also `selectedFile`). They take
 * the place of those that are there, unless `mode` is `append`.
 */
export const marksInput = z.object({
  course_id: courseId,
  marks: z.string(otherwise('must be text.')).nullish(),
  mode: z.preprocess(
    (value) => value ?? 'replace',
    z.enum(['replace', 'append'], otherwise('must be replace or append.')),
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
  average: z.number().nullable(),
  std_dev: z.number().nullable(),
  marks_count: z.int(),
});
export type Course = z.infer<typeof courseReply>;

export const courseCreatedReply = z.object({ message: z.string(), course: courseReply });

export const courseListReply = z.array(courseReply.extend({ histogram: histogramReply }));
export type CourseListed = z.infer<typeof courseListReply>[number];

export const courseShowReply = z.object({
  canProceed: z.boolean(),
  course: courseReply.optional(),
  message: z.string(),
});
