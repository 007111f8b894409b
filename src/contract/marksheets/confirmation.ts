import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, STANDINGS } from '../../domain/student.ts';
import { oneOf, requiredOr, text, wholeNumber } from '../fields.ts';
import { takeBackInput } from './grading.ts';
import { RECTIFICATION_KINDS, SHEET_STATES, studentIds } from './sheets.ts';

const letter = z.enum(GRADE_LETTERS).nullable();
const standing = z.enum(STANDINGS).nullable();

/** What confirming would write. A rectification writes changed rows only. */
export const confirmPreview = z.object({
  fingerprint: z.string(),
  writes: z.array(
    z.object({
      student_id: z.string(),
      semester: z.int(),
      slot: z.int(),
      /** Null for a row without a grade. */
      letter,
      creates_semester: z.boolean(),
    }),
  ),
  blocked: z.array(z.object({ student_id: z.string(), reason: z.string() })),
  /** Why the user who asks may not confirm it though the role permits it; null otherwise. */
  refused: z.string().nullable(),
});
export type ConfirmPreview = z.infer<typeof confirmPreview>;

const fingerprint = z.string(requiredOr('must be text.'));

/** `leave` names the students whose rows are blocked: they are left for later. */
export const confirmInput = z.object({ fingerprint, leave: studentIds.nullish() });
export type ConfirmInput = z.infer<typeof confirmInput>;
/** The rows that were left and can be written by now. */
export const remainingInput = z.object({ fingerprint });
export const confirmStaleReply = z.object({ message: z.string(), current: confirmPreview });

export const rectifyInput = z.object({
  kind: oneOf(RECTIFICATION_KINDS),
  reason: takeBackInput.shape.reason,
});
export type RectifyInput = z.infer<typeof rectifyInput>;

const change = {
  sgpa_before: z.number().nullable(),
  sgpa_after: z.number().nullable(),
  cgpa_before: z.number().nullable(),
  cgpa_after: z.number().nullable(),
};

/** Changed rows of a rectification; SGPA, CGPA and standing are those of the semester of the sheet. */
export const differenceReply = z.array(
  z.object({
    student_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    total_before: z.number().nullable(),
    total_after: z.number().nullable(),
    letter_before: letter,
    letter_after: letter,
    ...change,
    standing_before: standing,
    standing_after: standing,
    /** Later semesters whose CGPA changes. */
    later: z.array(
      z.object({
        semester: z.int(),
        cgpa_before: change.cgpa_before,
        cgpa_after: change.cgpa_after,
      }),
    ),
  }),
);
export type Difference = z.infer<typeof differenceReply>;

/** The results of a class in a semester become final. */
export const notificationInput = z.object({
  term_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }),
  department: oneOf(DEPARTMENT_CODES),
  degree: text(20),
  semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }),
});
export type NotificationInput = z.infer<typeof notificationInput>;

export const notificationSavedReply = z.object({
  message: z.string(),
  number: z.int(),
  notified_at: z.iso.datetime(),
});

/** 409: the sheets that are not confirmed. */
export const notificationRefusedReply = z.object({
  message: z.string(),
  sheets: z.array(z.object({ sheet_id: z.int(), title: z.string(), state: z.enum(SHEET_STATES) })).optional(),
});

/** The newest first. */
export const notificationListReply = z.array(
  z.object({
    number: z.int(),
    term_id: z.int(),
    term_name: z.string(),
    department: z.enum(DEPARTMENT_CODES),
    degree: z.string(),
    semester: z.int(),
    students: z.int(),
    notified_at: z.iso.datetime(),
    notified_by: z.object({ id: z.int().nullable(), name: z.string() }),
  }),
);
export type Notifications = z.infer<typeof notificationListReply>;
