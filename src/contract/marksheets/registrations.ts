import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { ROW_STATUSES } from '../../domain/marksheets/class-statistics.ts';
import { CHECK_RULES, CHECK_STATES } from '../../domain/marksheets/registration.ts';
import { DEPARTMENT_CODES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { numberedPath, oneOf, reason, studentId, studentPath, text } from '../fields.ts';
import { person, sheetPath, teacher } from './sheets.ts';

const checkReply = z.object({
  rule: z.enum(CHECK_RULES),
  /** `warn` needs a reason; `if-passed` waits for a mark sheet that is not confirmed. */
  state: z.enum(CHECK_STATES),
  text: z.string(),
});

const attempt = {
  /** One more than the recorded results of the course. */
  attempt: z.int(),
  /** The letter of the last of them. */
  before: z.enum(GRADE_LETTERS).nullable(),
};

/** How students would be added, in the order of the call. */
export const studentsPreviewReply = z.array(
  z.object({
    student_id: z.string(),
    ...attempt,
    /** The semester in which the student takes the course: the student's own where it differs from that of the class. */
    semester: z.int(),
    checks: z.array(checkReply),
    /** Why the student can't be added. */
    refused: z.string().nullable(),
  }),
);
export type StudentsPreview = z.infer<typeof studentsPreviewReply>;

/** A row of a class list with the checks as of now. `reason` covers the warnings of its moment. */
export const registrationReply = z.object({
  sheet_id: z.int(),
  student_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  ...attempt,
  /** Null for rows of before there was a record of it. */
  added_on: z.iso.date().nullable(),
  added_by: person.nullable(),
  checks: z.array(checkReply),
  reason: z.string().nullable(),
});
export type Registration = z.infer<typeof registrationReply>;

const registrationListReply = z.array(registrationReply);

const registrationInput = z.object({ reason: reason() });
const registrationSavedReply = z.object({ message: z.string(), registration: registrationReply });

const registrationQuery = z.strictObject({
  /** Those with a warning that no reason covers. */
  open: oneOf(['true', 'false']).optional(),
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
});
export type RegistrationQuery = z.output<typeof registrationQuery>;

/** The terms of a student, the newest first: what the registration slip prints. */
export const studentTermsReply = z.array(
  z.object({
    term_id: z.int(),
    name: z.string(),
    /** Of the courses that are taken, without those that were withdrawn from. */
    credits: z.int(),
    /** The load without a reason; null where nothing is checked. */
    limit: z.int().nullable(),
    courses: z.array(
      z.object({
        sheet_id: z.int(),
        course_code: z.string(),
        title: z.string(),
        credits: z.int(),
        class: z.string(),
        semester: z.int(),
        status: z.enum(ROW_STATUSES),
        ...attempt,
        checks: z.array(checkReply),
        reason: z.string().nullable(),
        teachers: z.array(teacher),
      }),
    ),
  }),
);
export type StudentTerms = z.infer<typeof studentTermsReply>;

export const sheetRegistrationCalls = {
  tag: 'Mark sheets',
  calls: {
    'GET /api/sheets/:sheet_id/registrations': {
      summary: 'The class list with attempts, checks and reasons as of now',
      rights: ['read'],
      params: sheetPath,
      query: registrationQuery,
      replies: { 200: registrationListReply },
      refuses: [404, 422],
    },
    'GET /api/terms/:term_id/registrations': {
      summary: 'The class lists of a term with attempts, checks and reasons as of now',
      rights: ['read'],
      params: z.object({ term_id: numberedPath }),
      query: registrationQuery,
      replies: { 200: registrationListReply },
      refuses: [404, 422],
    },
    'PUT /api/sheets/:sheet_id/rows/:student_id/registration': {
      summary: 'Give a reason for the warnings of a row as they are now',
      rights: ['write'],
      params: sheetPath.extend({ student_id: studentId }),
      body: registrationInput,
      replies: { 200: registrationSavedReply },
      refuses: [404, 409, 412, 422],
    },
    'GET /api/students/:id/terms': {
      summary: 'The terms of a student with their courses, the newest first',
      rights: ['read'],
      params: studentPath,
      replies: { 200: studentTermsReply },
      refuses: [404],
    },
  },
} satisfies CallGroup;
