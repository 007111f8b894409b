import { z } from 'zod';
import { formatCount } from '../../domain/format-count.ts';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import { attendanceFault, MAX_HELD } from '../../domain/marksheets/attendance.ts';
import { ROW_STATUSES } from '../../domain/marksheets/class-statistics.ts';
import { DEPARTMENT_CODES, SYNDICATES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { errorsByPath } from '../errors.ts';
import {
  decimalNumber,
  objectOnly,
  oneOf,
  optionalWholeNumber,
  reason,
  studentId,
  text,
  wholeNumber,
} from '../fields.ts';
import {
  attendancePartReply,
  MAX_SHEET_STUDENTS,
  rowAttendanceReply,
  rowPath,
  sheetPath,
  sheetRowReply,
  sheetRowSavedReply,
} from './sheets.ts';

const count = optionalWholeNumber({ min: 0, max: MAX_HELD });
const percent = decimalNumber(
  { min: 0, max: 100 },
  'must be a percentage of 0 to 100 with at most two decimals.',
  hasTwoDecimals,
);
const partFields = {
  held: count,
  attended: count,
  percent: z.preprocess((value) => value ?? null, percent.nullable()),
};

/** Counts, only a percentage, or both where they agree. */
const part = z
  .object(partFields, objectOnly)
  .superRefine((sent, context) => {
    const fault = attendanceFault(sent);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault.text, path: [fault.field] });
  })
  .nullish();

/** A part as it was before; what it says is only compared. */
const formerPart = z.object(partFields, objectOnly).nullish();

export const attendanceInput = z
  .object({
    rows: z
      .array(
        z.object(
          {
            student_id: studentId,
            theory: part,
            lab: part,
            /** Nothing without it. */
            was: z.object({ theory: formerPart, lab: formerPart }, objectOnly).nullish(),
          },
          objectOnly,
        ),
        'must be a list of rows.',
      )
      .min(1, 'must name at least one student.')
      .max(MAX_SHEET_STUDENTS, `must be at most ${formatCount(MAX_SHEET_STUDENTS)}.`),
  })
  .register(errorsByPath, {});
export type AttendanceInput = z.infer<typeof attendanceInput>;
export type PartInput = AttendanceInput['rows'][number]['theory'];

export const attendanceReply = z.object({
  version: z.int(),
  stored: z.int(),
  /** Students whose attendance is another one than `was`; it was left. */
  conflicts: z.array(
    z.object({
      student_id: z.string(),
      is: z.object({ theory: attendancePartReply, lab: attendancePartReply }),
    }),
  ),
  /** The rows of the students that were named, as they are now. */
  rows: z.array(sheetRowReply),
});
export type AttendanceReply = z.infer<typeof attendanceReply>;

/** Null takes the condoning back. */
const condoneInput = z.object({ reason: reason().nullable() });

export const attendanceCalls = {
  tag: 'Mark sheets',
  calls: {
    'PUT /api/sheets/:sheet_id/attendance': {
      summary: 'Store the attendance of students on a draft',
      description:
        'Theory and lab of a student are stored if they still are `was`; otherwise they are left and listed in `conflicts`. Counts, or a percentage, or null for none. A change of a figure ends its condoning.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: attendanceInput,
      replies: { 200: attendanceReply },
      refuses: [404, 409, 422],
    },
    'PUT /api/sheets/:sheet_id/rows/:student_id/condone': {
      summary: 'Condone the short attendance of a student, or take that back',
      rights: ['administer'],
      params: rowPath,
      body: condoneInput,
      replies: { 200: sheetRowSavedReply },
      refuses: [404, 409, 412, 422],
    },
  },
} satisfies CallGroup;

/** Of all classes without one. */
const shortageQuery = z.strictObject({
  term_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }),
  department: oneOf(DEPARTMENT_CODES).optional(),
  degree: text(20).optional(),
  syn: oneOf(SYNDICATES).optional(),
});
export type ShortageQuery = z.output<typeof shortageQuery>;

/** Rows of mark sheets that are short of attendance, or were condoned: by their students, then by the sheets. */
export const shortageReply = z.array(
  z.object({
    student_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    /** Null for a student who has been deleted. */
    syn: z.enum(SYNDICATES).nullable(),
    sheet_id: z.int(),
    course_code: z.string(),
    title: z.string(),
    status: z.enum(ROW_STATUSES),
    theory: attendancePartReply,
    lab: attendancePartReply,
    percent: rowAttendanceReply.shape.percent,
    /** The least counts that reach the minimum of what was held; null without a count. */
    needed: z.object({ theory: z.int().nullable(), lab: z.int().nullable() }),
    short: z.boolean(),
    condoned: rowAttendanceReply.shape.condoned,
  }),
);
export type Shortage = z.infer<typeof shortageReply>;

export const shortageCalls = {
  tag: 'Reports',
  calls: {
    'GET /api/reports/shortage': {
      summary: 'Who is short of attendance on the mark sheets of a term, or was condoned',
      description:
        'Of the mark sheets of all classes, or of one; `syn` is that of the students. What is short follows from the policy of each sheet.',
      rights: ['read'],
      query: shortageQuery,
      replies: { 200: shortageReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
