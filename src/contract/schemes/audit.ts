import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { ROW_STATES } from '../../domain/schemes/audit.ts';
import { SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import {
  COURSE_IDS,
  numberedPath,
  oneOf,
  optionalText,
  optionalWholeNumber,
  reason,
  studentPath,
  text,
  wholeNumber,
} from '../fields.ts';
import { rowKey } from './schemes.ts';

export const exceptionInput = z.object({
  /** The key of a row of the student's scheme. */
  row: rowKey(),
  /** The course that counts for the row; null waives it. */
  course_id: optionalWholeNumber(COURSE_IDS),
  reason: reason(),
});
export type ExceptionInput = z.infer<typeof exceptionInput>;

const by = z.object({ id: z.int().nullable(), name: z.string() });

/** What an administrator decided about a row of a student. */
export const exceptionReply = z.object({
  exception_id: z.int(),
  row: z.string(),
  course_id: z.int().nullable(),
  reason: z.string(),
  by,
  at: z.iso.datetime(),
});
export type Exception = z.infer<typeof exceptionReply>;

export const outsideCreditInput = z.object({
  title: text(),
  credits: wholeNumber({ min: 1, max: SCHEME_LIMITS.outsideHours }),
  institution: text(),
  /** As the other institution gave it. */
  grade: optionalText(40),
  /** The key of the row that it fills; null for none. */
  row: z.preprocess((value) => (value === '' ? null : (value ?? null)), rowKey().nullable()),
});
export type OutsideCreditInput = z.infer<typeof outsideCreditInput>;

/** A course that was passed elsewhere, without grade points. */
export const outsideCreditReply = z.object({
  outside_id: z.int(),
  title: z.string(),
  credits: z.int(),
  institution: z.string(),
  grade: z.string().nullable(),
  row: z.string().nullable(),
  version: z.int(),
});
export type OutsideCredit = z.infer<typeof outsideCreditReply>;

/** The scheme has no row with the key. */
const unused = z.boolean();

/** What fills a row: a recorded subject, a row of a mark sheet that is not confirmed, or a course from elsewhere. */
const filling = z.object({
  kind: z.enum(['attempt', 'sheet', 'outside']),
  course_id: z.int().nullable(),
  title: z.string(),
  letter: z.string().nullable(),
  credits: z.int().nullable(),
  semester: z.int().nullable(),
  slot: z.int().nullable(),
  sheet_id: z.int().nullable(),
  outside_id: z.int().nullable(),
});
export type FillingReply = z.infer<typeof filling>;

const option = z.object({
  course_id: z.int(),
  course_code: z.string(),
  course_name: z.string(),
  /** Courses that are needed and not passed yet. */
  missing: z.array(z.int()),
});

export const auditReply = z.object({
  /** Null when no scheme is in force for the class. */
  scheme: z.object({ scheme_id: z.int(), number: z.int(), name: z.string() }).nullable(),
  /** No row is lacking; null without a scheme. */
  complete: z.boolean().nullable(),
  rows: z.array(
    z.object({
      key: z.string(),
      semester: z.int(),
      title: z.string(),
      credits: z.int(),
      /** `in-progress`, `failed` and `open` are lacking. */
      state: z.enum(ROW_STATES),
      filled_by: filling.nullable(),
      /** Of a lacking row. */
      options: z.array(option),
    }),
  ),
  /** Passed courses that fill no row. */
  extra: z.array(filling.extend({ letter: z.enum(GRADE_LETTERS).nullable() })),
  exceptions: z.array(exceptionReply.extend({ unused })),
  outside_credits: z.array(outsideCreditReply.extend({ unused })),
  credits: z.object({ required: z.int(), earned: z.int(), outside: z.int(), total: z.int() }),
  /** Credit hours that the degree asks beyond those of the lacking rows. */
  missing_credits: z.int(),
});
export type AuditReply = z.infer<typeof auditReply>;

const auditQuery = z.strictObject({
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Subjects that are offered for a semester. */
export const MOST_SCHEME_SUBJECTS = 10;

const schemeSubjectsQuery = z.strictObject({ semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }) });

export const schemeSubjectsReply = z.object({
  /** Null without a scheme. */
  scheme_id: z.int().nullable(),
  subjects: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      /** Where there is one option. */
      course_id: z.int().nullable(),
      /** Null for 0. */
      credits: z.int().nullable(),
      options: z.array(z.int()),
    }),
  ),
});
export type SchemeSubjects = z.infer<typeof schemeSubjectsReply>;

const exceptionPath = z.object({ id: z.string(), exception_id: numberedPath });
const outsidePath = z.object({ id: z.string(), outside_id: numberedPath });
const outsideSavedReply = z.object({ message: z.string(), outside_credit: outsideCreditReply });

export const auditCalls = {
  tag: 'Schemes',
  calls: {
    'GET /api/students/:id/audit': {
      summary: 'Which rows of the scheme a student has passed, and what is missing',
      description: '`department` and `degree` ask how it would be in another class.',
      rights: ['read'],
      params: studentPath,
      query: auditQuery,
      replies: { 200: auditReply },
      refuses: [404, 422],
    },
    'GET /api/students/:id/scheme-subjects': {
      summary: 'Rows of a semester of the scheme that nothing fills yet',
      rights: ['read'],
      params: studentPath,
      query: schemeSubjectsQuery,
      replies: { 200: schemeSubjectsReply },
      refuses: [404, 422],
    },
    'POST /api/students/:id/exceptions': {
      summary: 'Let another course count for a row of a student, or waive the row',
      rights: ['administer'],
      params: studentPath,
      body: exceptionInput,
      replies: { 201: z.object({ message: z.string(), exception: exceptionReply }) },
      refuses: [404, 422],
    },
    'DELETE /api/students/:id/exceptions/:exception_id': {
      summary: 'Take back a substitution or a waiver',
      rights: ['administer'],
      params: exceptionPath,
      query: z.strictObject({ reason: reason() }),
      replies: { 200: messageReply },
      refuses: [404, 412, 422],
    },
    'POST /api/students/:id/outside-credits': {
      summary: 'Enter a course that was passed elsewhere',
      rights: ['write'],
      params: studentPath,
      body: outsideCreditInput,
      replies: { 201: outsideSavedReply },
      refuses: [404, 422],
    },
    'PUT /api/students/:id/outside-credits/:outside_id': {
      summary: 'Change a course that was passed elsewhere',
      rights: ['write'],
      params: outsidePath,
      body: outsideCreditInput,
      replies: { 200: outsideSavedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/students/:id/outside-credits/:outside_id': {
      summary: 'Delete a course that was passed elsewhere',
      rights: ['write'],
      params: outsidePath,
      replies: { 200: messageReply },
      refuses: [404, 412],
    },
  },
} satisfies CallGroup;
