import { z } from 'zod';
import {
  DEPARTMENT_CODES,
  DIVISION,
  GENDERS,
  PASSING_YEAR,
  SCHOOL_MARKS,
  SEMESTER_COUNT,
  STATUS_CODES,
  SYNDICATES,
  toHundredths,
} from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import {
  date,
  decimalNumber,
  numberedPath,
  oneOf,
  optionalDate,
  optionalLines,
  optionalOneOf,
  optionalText,
  optionalWholeNumber,
  studentId,
  studentPath,
  text,
  wholeNumber,
} from '../fields.ts';
import { academicReply } from './academics.ts';

const details = {
  father_name: text(),
  father_occupation: text(),
  mother_name: optionalText(),
  mother_occupation: optionalText(),
  number_siblings: optionalWholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  father_phone: optionalText(),
  mother_phone: optionalText(),
  home_phone: optionalText(),
  address: optionalLines(10_000),
};

/** The family step of a new record. */
export const familyInput = z.object({ student_id: studentId, ...details });
export type FamilyInput = z.infer<typeof familyInput>;

/** New family details. The student is named in the path. */
export const familyUpdate = z.object({ student_id: studentId.optional(), ...details });

export const familyReply = z.object({
  student_id: z.string(),
  father_name: z.string(),
  father_occupation: z.string(),
  mother_name: z.string().nullable(),
  mother_occupation: z.string().nullable(),
  number_siblings: z.int().nullable(),
  father_phone: z.string().nullable(),
  mother_phone: z.string().nullable(),
  home_phone: z.string().nullable(),
  address: z.string().nullable(),
});
export type Family = z.infer<typeof familyReply>;

export const familyCreatedReply = z.object({ message: z.string(), family: familyReply });

/** Whether the family step can be entered now; if not, where to continue, and the reason as text. */
export const familyStepReply = z.object({
  canProceed: z.boolean(),
  redirectTo: z.enum(['base', 'academics', 'dashboard']).optional(),
  message: z.string(),
});
export type FamilyStepReply = z.infer<typeof familyStepReply>;

/** Marks of a school examination, 100 to 1100, at most two decimals. */
const schoolMarks = () =>
  decimalNumber(
    SCHOOL_MARKS,
    `must be ${SCHOOL_MARKS.min} to ${SCHOOL_MARKS.max} with at most two decimals.`,
    (marks) => toHundredths(marks) !== undefined,
  );

const base = {
  first_name: text(),
  last_name: text(),
  dob: date(),
  joining_date: date(),
  phone_number: optionalText(),
  gender: optionalOneOf(GENDERS),
  fsc_marks: schoolMarks(),
  fsc_year: wholeNumber(PASSING_YEAR),
  fsc_div: wholeNumber(DIVISION),
  matric_marks: schoolMarks(),
  matric_year: wholeNumber(PASSING_YEAR),
  matric_div: wholeNumber(DIVISION),
  current_sem: wholeNumber({ min: 1, max: SEMESTER_COUNT }),
  department: oneOf(DEPARTMENT_CODES),
  degree: text(20),
  syn: oneOf(SYNDICATES),
  reason: optionalLines(10_000),
  img: optionalText(),
};

/** The base step of a new record. */
export const studentInput = z.object({ id: studentId, ...base });
export type StudentInput = z.infer<typeof studentInput>;

/** A new base record. The id is the one in the path and cannot be changed. */
export const studentUpdate = z.object({ id: studentId.optional(), ...base });

/** A name and a date of birth, to find students who may be the same person. */
export const namesakesQuery = z.strictObject({ first_name: text(), last_name: text(), dob: date() });

export const namesakesReply = z.object({
  /** At most five. */
  students: z.array(z.object({ id: z.string(), first_name: z.string(), last_name: z.string() })),
});
export type Namesakes = z.infer<typeof namesakesReply>;

/** The defaults are for states in the history from before there was a status. */
export const statusFields = {
  status: z.enum(STATUS_CODES).default('active'),
  /** The day of the last change of the status, and why; null if there was none. */
  status_date: z.iso.date().nullable().default(null),
  status_reason: z.string().nullable().default(null),
};

/** A student's base record. School marks are a fraction of 1100. */
export const studentReply = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  dob: z.iso.date(),
  joining_date: z.iso.date(),
  phone_number: z.string().nullable(),
  gender: z.enum(GENDERS).nullable(),
  fsc_marks: z.number(),
  fsc_year: z.int(),
  fsc_div: z.int(),
  matric_marks: z.number(),
  matric_year: z.int(),
  matric_div: z.int(),
  current_sem: z.int(),
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  syn: z.enum(SYNDICATES),
  reason: z.string().nullable(),
  img: z.string().nullable(),
  ...statusFields,
});
export type Student = z.infer<typeof studentReply>;

/** A change of a student's status. Without a date it is of today. */
export const statusInput = z.object({
  status: oneOf(STATUS_CODES),
  date: optionalDate(),
  reason: optionalText(),
});
export type StatusInput = z.infer<typeof statusInput>;

export const studentListReply = z.array(studentReply);

/** `warnings`: texts by field, as in a 422, about saved values that are probably mistakes. Left out if there are none. */
export const studentCreatedReply = z.object({
  message: z.string(),
  student: studentReply,
  warnings: z.record(z.string(), z.array(z.string())).optional(),
});
export type StudentCreated = z.infer<typeof studentCreatedReply>;

export const studentBaseReply = z.object({ student: studentReply });
export type StudentBase = z.infer<typeof studentBaseReply>;

/** A whole record; null while the family step has not been done. Index 0 is semester 1, and no semester is skipped. */
export const recordReply = z
  .object({
    student: studentReply,
    family: familyReply,
    academics: z.array(academicReply),
    academics_summary: z.object({
      /** Null while nothing is graded. */
      latest_cgpa: z.number().nullable(),
      /** The last semester that it includes. */
      latest_cgpa_semester: z.int().nullable(),
      /** The CGPA after the last semester up to the current one; only where it includes more than `latest_cgpa`. */
      current_cgpa: z.object({ value: z.number(), semester: z.int() }).optional(),
      /** The CGPA of the whole degree, once all eight semesters are recorded. */
      final_cgpa: z.number().nullable(),
    }),
  })
  .nullable();
export type StudentRecord = NonNullable<z.infer<typeof recordReply>>;

export const studentCalls = {
  tag: 'Students',
  calls: {
    'GET /api': {
      summary: 'All students',
      rights: ['read'],
      replies: { 200: studentListReply },
    },
    'GET /api/students/:id': {
      summary: 'A whole record',
      description: 'null while the family step has not been done.',
      rights: ['read'],
      params: studentPath,
      replies: { 200: recordReply },
      refuses: [404],
    },
    'GET /api/students/:id/base': {
      summary: 'The base record, whether the family is there or not',
      rights: ['read'],
      params: studentPath,
      replies: { 200: studentBaseReply },
      refuses: [404],
    },
    'GET /api/students/:id/family/create': {
      summary: 'May the family step be entered?',
      rights: ['read'],
      params: studentPath,
      replies: { 200: familyStepReply },
    },
    'POST /api/students': {
      summary: 'Enter the base record of a student',
      rights: ['write'],
      body: studentInput,
      replies: { 201: studentCreatedReply },
      refuses: [422],
    },
    // Not below /api/students, where it would hide a student with that ID.
    'GET /api/namesakes': {
      summary: 'Students with the same name and date of birth',
      description: 'Before a student is entered who may be there already.',
      rights: ['write'],
      query: namesakesQuery,
      replies: { 200: namesakesReply },
      refuses: [422],
    },
    'PUT /api/students/:id': {
      summary: 'Replace a base record',
      rights: ['write'],
      params: studentPath,
      body: studentUpdate,
      replies: { 200: studentCreatedReply },
      refuses: [404, 412, 422],
    },
    'PUT /api/students/:id/status': {
      summary: 'Change the status of a student',
      description:
        'Whether the student is active, on leave, or has withdrawn, graduated or been transferred.',
      rights: ['write'],
      params: studentPath,
      body: statusInput,
      replies: { 200: studentCreatedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/students/:id': {
      summary: 'Delete a student with family and results',
      rights: ['write'],
      params: studentPath,
      replies: { 200: messageReply },
      refuses: [404, 412],
    },
    'POST /api/students/:id/restore': {
      summary: 'Bring back a deleted student',
      description:
        'Staff undo a deletion of their own, as long as nothing has changed since. Of several deletions under the id it is the last one, unless an administrator names another in `entry` by its number in the history.',
      rights: ['write'],
      params: studentPath,
      query: z.object({ entry: numberedPath.optional() }),
      replies: { 201: studentCreatedReply },
      refuses: [404, 409],
    },
    'POST /api/students/family': {
      summary: 'Enter the family details of a student',
      rights: ['write'],
      body: familyInput,
      replies: { 201: familyCreatedReply },
      refuses: [422],
    },
    'PUT /api/students/:id/family': {
      summary: 'Replace the family details of a student',
      rights: ['write'],
      params: studentPath,
      body: familyUpdate,
      replies: { 200: familyCreatedReply },
      refuses: [404, 412, 422],
    },
  },
} satisfies CallGroup;
