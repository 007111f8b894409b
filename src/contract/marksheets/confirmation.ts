import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, STANDINGS } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { oneOf, requiredOr, text, wholeNumber } from '../fields.ts';
import { takeBackInput } from './grading.ts';
import { RECTIFICATION_KINDS, SHEET_STATES, sheetPath, sheetSavedReply, studentIds } from './sheets.ts';

const letter = z.enum(GRADE_LETTERS).nullable();
const standing = z.enum(STANDINGS).nullable();

/** The results that confirming would write. A rectification writes changed rows only. */
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
  /** Rows of other sheets whose students need this course to be passed, and whom this sheet fails. */
  depending: z.array(z.object({ student_id: z.string(), sheet_id: z.int(), title: z.string() })),
  /** Why the user who asks may not confirm it though the role permits it; null otherwise. */
  refused: z.string().nullable(),
});
export type ConfirmPreview = z.infer<typeof confirmPreview>;

const fingerprint = z.string(requiredOr('must be text.'));

/** `leave` names the students whose rows are blocked: they are left for later. */
export const confirmInput = z.object({ fingerprint, leave: studentIds.nullish() });
export type ConfirmInput = z.infer<typeof confirmInput>;
/** The rows that were left and can be written by now. */
const remainingInput = z.object({ fingerprint });
const confirmStaleReply = z.object({ message: z.string(), current: confirmPreview });

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

const notificationSavedReply = z.object({
  message: z.string(),
  number: z.int(),
  notified_at: z.iso.datetime(),
});

/** 409: the sheets that are not confirmed. */
const notificationRefusedReply = z.object({
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

export const confirmationCalls = {
  tag: 'Mark sheets',
  calls: {
    'GET /api/sheets/:sheet_id/confirm': {
      summary: 'What confirming a mark sheet would write, and which rows are blocked',
      rights: ['read'],
      params: sheetPath,
      replies: { 200: confirmPreview },
      refuses: [404],
    },
    'POST /api/sheets/:sheet_id/confirm': {
      summary: 'Confirm a submitted mark sheet',
      description:
        'Where the policy asks for a second person, not for the one who submitted it. With the `fingerprint` of the preview. Blocked rows keep it from being confirmed, unless `leave` names each of them.',
      rights: ['administer'],
      params: sheetPath,
      body: confirmInput,
      replies: { 200: sheetSavedReply, 412: confirmStaleReply },
      refuses: [404, 409, 422],
    },
    'GET /api/sheets/:sheet_id/remaining': {
      summary: 'Which of the rows that a confirmation left can be recorded by now',
      rights: ['read'],
      params: sheetPath,
      replies: { 200: confirmPreview },
      refuses: [404],
    },
    'POST /api/sheets/:sheet_id/remaining': {
      summary: 'Record those of the rows that a confirmation left which can be recorded by now',
      description:
        'Where the policy asks for a second person, not for the one who submitted the sheet. With the `fingerprint` of the preview.',
      rights: ['administer'],
      params: sheetPath,
      body: remainingInput,
      replies: { 200: sheetSavedReply, 412: confirmStaleReply },
      refuses: [404, 409, 422],
    },
    'POST /api/sheets/:sheet_id/rectify': {
      summary: 'Begin the rectification of a confirmed mark sheet',
      description: 'Only for administrators once the days for rechecks are over.',
      rights: ['write'],
      params: sheetPath,
      body: rectifyInput,
      replies: { 201: sheetSavedReply },
      refuses: [404, 409, 422],
    },
    'GET /api/sheets/:sheet_id/difference': {
      summary: 'What a rectification changes',
      rights: ['read'],
      params: sheetPath,
      replies: { 200: differenceReply },
      refuses: [404],
    },
    'GET /api/result-notifications': {
      summary: 'Notifications of results, the newest first',
      rights: ['read'],
      replies: { 200: notificationListReply },
    },
    'POST /api/result-notifications': {
      summary: 'Make final the results of a class in a semester',
      description: 'Once all its mark sheets are confirmed.',
      rights: ['administer'],
      body: notificationInput,
      replies: { 201: notificationSavedReply, 409: notificationRefusedReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
