import { z } from 'zod';
import { toHundredths } from '../domain/school-marks.ts';
import {
  DEPARTMENT_CODES,
  DIVISION,
  GENDERS,
  PASSING_YEAR,
  SCHOOL_MARKS,
  SEMESTER_COUNT,
  SYNDICATES,
} from '../domain/student.ts';
import { academicReply } from './academics.ts';
import { familyReply } from './family.ts';
import { date, decimalNumber, oneOf, optionalOneOf, optionalText, text, wholeNumber } from './fields.ts';
import { studentId } from './student-id.ts';

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
  reason: optionalText(10_000),
  img: optionalText(),
};

/** The base step of a new record. */
export const studentInput = z.object({ id: studentId, ...base });
export type StudentInput = z.infer<typeof studentInput>;

/** A whole base record again; the id is the path's and can't be changed. */
export const studentUpdate = z.object({ id: studentId.optional(), ...base });

/** A student's base record as answered: school marks as a fraction of 1100. */
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
});
export type Student = z.infer<typeof studentReply>;

export const studentListReply = z.array(studentReply);

export const studentCreatedReply = z.object({ message: z.string(), student: studentReply });
export type StudentCreated = z.infer<typeof studentCreatedReply>;

export const studentBaseReply = z.object({ student: studentReply });
export type StudentBase = z.infer<typeof studentBaseReply>;

/** A whole record; null while the family step has not been done. Semester 1 stands at index 0, without holes. */
export const recordReply = z
  .object({
    student: studentReply,
    family: familyReply,
    academics: z.array(academicReply),
    academics_summary: z.object({ latest_cgpa: z.number().nullable() }),
  })
  .nullable();
export type StudentRecord = NonNullable<z.infer<typeof recordReply>>;
