import { z } from 'zod';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import {
  DEPARTMENT_CODES,
  GENDERS,
  SEMESTER_COUNT,
  STANDINGS,
  STATUS_CODES,
  SYNDICATES,
} from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { decimalNumber, objectOnly, oneOf, requiredOr, text, wholeNumber } from '../fields.ts';

/** Orders of the list of students. */
export const STUDENT_SORTS = ['id', 'name', 'dob', 'degree', 'fsc_marks', 'matric_marks', 'cgpa'] as const;
export type StudentSort = (typeof STUDENT_SORTS)[number];

export const DIRECTIONS = ['ascending', 'descending'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** An order with nothing left to the defaults. */
export interface StudentOrder {
  sort: StudentSort;
  direction: Direction;
}

/** Rows per page: the default and the maximum. */
export const PAGE_SIZE = { usual: 50, most: 500 } as const;

/** Grade points with at most two decimals. */
const gradePoints = () =>
  decimalNumber({ min: 0, max: 4 }, 'must be 0 to 4 with at most two decimals.', hasTwoDecimals);

/** Text pasted from a table or a letter can have tabs and line ends between words. */
const inOneLine = (value: unknown) => (typeof value === 'string' ? value.replace(/[\t\r\n]+/g, ' ') : value);

/** Some of these codes: a list, or text with commas; answered each once, in the order of `codes`. */
const someOf = <const Codes extends readonly [string, ...string[]]>(codes: Codes) => {
  const phrase = `must be one or more of ${codes.join(', ')}.`;
  return z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? value.split(',') : value),
    z
      .array(
        z.preprocess((value) => (typeof value === 'string' ? value.trim() : value), z.enum(codes, phrase)),
        requiredOr(phrase),
      )
      .refine((some) => some.length > 0, phrase)
      .transform((some) => codes.filter((code): code is Codes[number] => some.some((one) => one === code))),
  );
};

/** The filters of the list. All are optional; a student must match every given one. */
const filterFields = {
  /**
   * Each word must be the beginning of a word of the ID, name, father's name or a phone number, names in any of their usual
   * spellings. A class, such as `CE-45-C` or `CE-45`, is one of the filters.
   */
  q: z.preprocess(inOneLine, text(200)).optional(),
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
  syn: oneOf(SYNDICATES).optional(),
  current_sem: wholeNumber({ min: 1, max: SEMESTER_COUNT }).optional(),
  gender: oneOf(GENDERS).optional(),
  status: someOf(STATUS_CODES).optional(),
  /** Academic standing after the latest final semester. */
  standing: someOf(STANDINGS).optional(),
  /** Minimum CGPA. Leaves out students without one. */
  cgpa_from: gradePoints().optional(),
  /** The CGPA is below this. Leaves out students without one. */
  cgpa_below: gradePoints().optional(),
  /** Only entries without a family, or with results missing for a semester before the current one. */
  incomplete: oneOf(['true']).optional(),
  /** The latest SGPA is at least this much below the one before. */
  fell_by: gradePoints().optional(),
  /** `course_id` of a course in which the student has an F. */
  failed: wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional(),
};

/** Selects students, for calls that act on all matches. */
export const studentFilter = z.strictObject(filterFields, objectOnly);
export type StudentFilter = z.infer<typeof studentFilter>;

/**
 * Without `sort`: by relevance if there is a search, else by ID, the highest first. In any order but that by relevance, active
 * students come before the others. Rows with equal keys are in the order of their IDs. Students without a CGPA come last in
 * both directions.
 */
const orderFields = {
  sort: oneOf(STUDENT_SORTS).optional(),
  direction: oneOf(DIRECTIONS).optional(),
};

export const studentView = z.strictObject({ ...filterFields, ...orderFields }, objectOnly);
export type StudentView = z.infer<typeof studentView>;

const studentListQuery = z.strictObject({
  ...filterFields,
  ...orderFields,
  limit: wholeNumber({ min: 1, max: PAGE_SIZE.most }).optional(),
  /** `next_cursor` of the previous page, with the same search, filters and order. */
  cursor: text(1000).optional(),
  /** Pages from the last row on, each in reverse. Not for a search by relevance. */
  from: oneOf(['end']).optional(),
});

/** A row of the list. School marks are a fraction of 1100. */
export const studentListItem = z.object({
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
  /** `latest_cgpa` of the record. */
  cgpa: z.number().nullable(),
  /** The last semester that it includes. */
  cgpa_semester: z.int().nullable(),
  /** The CGPA of the whole degree, once all eight semesters are recorded. */
  final_cgpa: z.number().nullable(),
  is_complete: z.boolean(),
  /** Null while the family has not been entered. */
  father_name: z.string().nullable(),
  father_phone: z.string().nullable(),
  status: z.enum(STATUS_CODES),
  status_date: z.iso.date().nullable(),
  /** Academic standing; null without a graded semester. */
  standing: z.enum(STANDINGS).nullable(),
  /** Registration numbers that the student had before, the earliest first. */
  former_ids: z.array(z.string()),
});
export type StudentListItem = z.infer<typeof studentListItem>;

export const studentPageReply = z.object({
  students: z.array(studentListItem),
  /** Rows of all pages. */
  total: z.int(),
  /** Whether `total` is exact, an estimate, or a lower bound. */
  total_is: z.enum(['exact', 'estimate', 'minimum']),
  /** Null on the last page. Other pages may also have fewer rows than `limit`. */
  next_cursor: z.string().nullable(),
});
export type StudentPage = z.infer<typeof studentPageReply>;

export const studentListCalls = {
  tag: 'Students',
  calls: {
    'GET /api/students': {
      summary: 'A page of the students that a search and filters leave',
      description:
        'In a chosen order, else the highest ID first, and active students before the others; a search without an order: the best matches first. Every filter that is given has to hold.',
      rights: ['read'],
      query: studentListQuery,
      replies: { 200: studentPageReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
