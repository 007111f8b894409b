import { z } from 'zod';
import { DEPARTMENT_CODES, GENDERS, SEMESTER_COUNT, SYNDICATES } from '../domain/student.ts';
import { decimalNumber, oneOf, text, wholeNumber } from './fields.ts';

/** What the list of students can be in order of. */
export const STUDENT_SORTS = ['id', 'name', 'dob', 'degree', 'fsc_marks', 'matric_marks', 'cgpa'] as const;
export type StudentSort = (typeof STUDENT_SORTS)[number];

export const DIRECTIONS = ['ascending', 'descending'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Rows of one page, where the caller does not say, and at most. */
export const PAGE_ROWS = { usual: 50, most: 500 } as const;

/** Grade points with at most two decimals. */
const gradePoints = () =>
  decimalNumber(
    { min: 0, max: 4 },
    'must be 0 to 4 with at most two decimals.',
    (points) => Math.abs(points * 100 - Math.round(points * 100)) < 1e-6,
  );

/** What narrows the list down. Every one is optional; all that are given have to hold. */
const narrowing = {
  /** Words that each have to begin a word of ID, name, father's name or phone number. */
  q: text(200).optional(),
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
  syn: oneOf(SYNDICATES).optional(),
  current_sem: wholeNumber({ min: 1, max: SEMESTER_COUNT }).optional(),
  gender: oneOf(GENDERS).optional(),
  /** Least CGPA; students without one are left out. */
  cgpa_from: gradePoints().optional(),
  /** The CGPA is less than this; students without one are left out. */
  cgpa_below: gradePoints().optional(),
  /** Only entries without family or without the results of a semester before the current one. */
  incomplete: oneOf(['true']).optional(),
  /** The latest SGPA is at least so much less than the one before. */
  fell_by: gradePoints().optional(),
  /** `course_id` of a course that the student has an F in. */
  failed: wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional(),
};

/** Which students are meant, for calls that act on all of them. */
export const studentFilter = z.strictObject(narrowing);
export type StudentFilter = z.infer<typeof studentFilter>;

/**
 * Without `sort`: by how well the search matches, where there is one, else by ID, the highest first. An order of the
 * same key goes on by ID. Students without a CGPA stand behind those with one, whichever way round.
 */
const order = {
  sort: oneOf(STUDENT_SORTS).optional(),
  direction: oneOf(DIRECTIONS).optional(),
};

export const studentView = z.strictObject({ ...narrowing, ...order });
export type StudentView = z.infer<typeof studentView>;

export const studentListQuery = z.strictObject({
  ...narrowing,
  ...order,
  limit: wholeNumber({ min: 1, max: PAGE_ROWS.most }).optional(),
  /** `next_cursor` of the page before, of the same search, filters and order. */
  cursor: text(1000).optional(),
});

/** A row of the list: what it shows and is found by. School marks are a fraction of 1100. */
export const studentListed = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  dob: z.iso.date(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
  gender: z.enum(GENDERS).nullable(),
  current_sem: z.int(),
  fsc_marks: z.number(),
  matric_marks: z.number(),
  phone_number: z.string().nullable(),
  /** As on the record (`latest_cgpa`). */
  cgpa: z.number().nullable(),
  is_complete: z.boolean(),
  /** Null while the family has not been entered. */
  father_name: z.string().nullable(),
  father_phone: z.string().nullable(),
});
export type StudentListed = z.infer<typeof studentListed>;

export const studentPageReply = z.object({
  students: z.array(studentListed),
  /** Of all pages. */
  total: z.int(),
  /** Whether there are exactly so many, about so many, or at least so many. */
  total_is: z.enum(['exact', 'estimate', 'minimum']),
  /** Null on the last page. A page may hold fewer rows than asked for and yet not be the last. */
  next_cursor: z.string().nullable(),
});
export type StudentPage = z.infer<typeof studentPageReply>;
