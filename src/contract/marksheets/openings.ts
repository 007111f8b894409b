import { z } from 'zod';
import { OPENING_LIMITS } from '../../domain/marksheets/opening-limits.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { errorsByPath } from '../errors.ts';
import { courseId, numberedPath, objectOnly, oneOf, requiredOr, text, wholeNumber } from '../fields.ts';
import { rowKey } from '../schemes/schemes.ts';
import { categoriesInput, person } from './sheets.ts';

const classFields = {
  department: oneOf(DEPARTMENT_CODES),
  degree: text(20),
};

/** A batch of a department with the semester in which it begins; the syndicates `syn`, or all. */
const openedClass = z.object(
  {
    ...classFields,
    semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }),
    syn: z
      .array(oneOf(SYNDICATES), requiredOr('must be a list of syndicates.'))
      .nullish()
      .transform((syn) => [...new Set(syn ?? [])]),
  },
  objectOnly,
);
export type OpenedClass = z.infer<typeof openedClass>;

/** The courses that are taught for a row of the scheme that has several options. */
const openingChoice = z.object(
  {
    ...classFields,
    row: rowKey(),
    course_ids: z
      .array(courseId, requiredOr('must be a list of course ids.'))
      .max(40, 'must be at most 40.')
      .refine((ids) => new Set(ids).size === ids.length, 'must name each course once.'),
  },
  objectOnly,
);

const openingFields = {
  classes: z
    .array(openedClass, requiredOr('must be a list of classes.'))
    .min(1, 'must name at least one class.')
    .max(OPENING_LIMITS.classes, `must be at most ${OPENING_LIMITS.classes}.`),
  choices: z
    .array(openingChoice, requiredOr('must be a list of choices.'))
    .max(1_000, 'must be at most 1,000.')
    .nullish()
    .transform((choices) => choices ?? []),
  categories: categoriesInput,
  /** Of rows with a lab; the others without it. */
  lab_categories: categoriesInput.nullish(),
};

export const openingPreviewInput = z.object(openingFields).register(errorsByPath, {});
export type OpeningPreviewInput = z.infer<typeof openingPreviewInput>;

const fingerprint = z.string(requiredOr('must be text.'));
export const openingInput = z.object({ ...openingFields, fingerprint }).register(errorsByPath, {});

const openedSheet = z.object({
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  semester: z.int(),
  /** The key of the row of the scheme. */
  row: z.string(),
  /** Null where no course is chosen. */
  course_id: z.int().nullable(),
  /** Null without a course, or where it is deleted. */
  course_code: z.string().nullable(),
  title: z.string(),
  /** The courses to choose from; empty where the row has one. */
  options: z.array(z.object({ course_id: z.int(), course_code: z.string(), course_name: z.string() })),
  credits: z.int(),
  /** The number of rows that it begins with, or has if it is kept. */
  students: z.int(),
  /** Who takes the course neither now nor again, or may not. */
  left_out: z.array(
    z.object({
      student_id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      reason: z.string(),
    }),
  ),
  /** Active students of the class in other semesters. */
  other_semester: z.int(),
  /** The sheet that there is already, which is kept. */
  sheet_id: z.int().nullable(),
  /** Why none is made. */
  problem: z.string().nullable(),
});
export type OpenedSheet = z.infer<typeof openedSheet>;

/** Active students of a batch in a semester, who can be opened together. */
export const openableClass = z.object({
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  semester: z.int(),
  students: z.int(),
  /** The scheme in force; null without one, so that nothing can be opened. */
  scheme: z.object({ scheme_id: z.int(), number: z.int(), rows: z.int() }).nullable(),
});
export type OpenableClass = z.infer<typeof openableClass>;

const date = z.iso.date();
export const openingPreview = z.object({
  fingerprint: z.string(),
  /** The last days that the term has or gets. */
  dates: z.object({ add_until: date, drop_until: date, withdraw_until: date }),
  sheets: z.array(openedSheet),
  totals: z.object({ create: z.int(), keep: z.int(), skip: z.int(), students: z.int() }),
});
export type OpeningPreview = z.infer<typeof openingPreview>;

export const openingReply = z.object({
  opening_id: z.int(),
  classes: z.array(
    z.object({
      department: z.enum(DEPARTMENT_CODES),
      degree: z.string(),
      semester: z.int(),
      syn: z.array(z.enum(SYNDICATES)),
    }),
  ),
  sheets: z.int(),
  students: z.int(),
  created_at: z.iso.datetime(),
  created_by: person,
  /** Null until it is undone. */
  undo: z.object({ undone: z.int(), by: person, at: z.iso.datetime() }).nullable(),
});
export type Opening = z.infer<typeof openingReply>;

const openingSavedReply = z.object({ message: z.string(), opening: openingReply });

export const openingUndo = z.object({
  fingerprint: z.string(),
  /** The number of sheets that nobody has touched. */
  undone: z.int(),
  kept: z.array(z.object({ sheet_id: z.int(), reason: z.string() })),
});
export type OpeningUndo = z.infer<typeof openingUndo>;

const termPath = z.object({ term_id: numberedPath });
const openingPath = z.object({ opening_id: numberedPath });

export const openingCalls = {
  tag: 'Mark sheets',
  calls: {
    'GET /api/terms/:term_id/openings/classes': {
      summary: 'The classes for which a term can be opened',
      description: 'By the semester of their active students. `rows`: those of the scheme in that semester.',
      rights: ['administer'],
      params: termPath,
      replies: { 200: z.array(openableClass) },
      refuses: [404],
    },
    'POST /api/terms/:term_id/openings/preview': {
      summary: 'Which mark sheets opening a term for classes would make',
      description:
        'Changes nothing. One draft for each row of the scheme in that semester, with its students.',
      rights: ['administer'],
      params: termPath,
      body: openingPreviewInput,
      replies: { 200: openingPreview },
      refuses: [404, 422],
    },
    'POST /api/terms/:term_id/openings': {
      summary: 'Make the mark sheets of classes in a term',
      description:
        'All or nothing, with the `fingerprint` of the preview; last days that the term lacks are set.',
      rights: ['administer'],
      params: termPath,
      body: openingInput,
      replies: {
        201: openingSavedReply,
        412: z.object({ message: z.string(), current: openingPreview }),
      },
      refuses: [404, 422],
    },
    'GET /api/terms/:term_id/openings': {
      summary: 'The openings of a term, the newest first',
      rights: ['administer'],
      params: termPath,
      replies: { 200: z.array(openingReply) },
      refuses: [404],
    },
    'GET /api/openings/:opening_id/undo': {
      summary: 'Which mark sheets of an opening nobody has touched',
      rights: ['administer'],
      params: openingPath,
      replies: { 200: openingUndo },
      refuses: [404, 409],
    },
    'POST /api/openings/:opening_id/undo': {
      summary: 'Delete the mark sheets of an opening that nobody has touched',
      description: 'With the `fingerprint` of the preview. The last days of the term stay.',
      rights: ['administer'],
      params: openingPath,
      body: z.object({ fingerprint }),
      replies: {
        200: openingSavedReply,
        /** The preview, or with an outdated `If-Match` the opening. */
        412: z.object({ message: z.string(), current: z.union([openingUndo, openingReply]) }),
      },
      refuses: [404, 409, 422],
    },
  },
} satisfies CallGroup;
