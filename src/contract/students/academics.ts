import { z } from 'zod';
import { GRADE_LETTERS, gradeLetter, gradePoints } from '../../domain/grading/gpa.ts';
import { CREDIT_HOURS, SEMESTER_COUNT, SUBJECT_COUNT } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import {
  COURSE_IDS,
  numberedPath,
  optionalReason,
  optionalText,
  optionalWholeNumber,
  studentId,
  studentPath,
  text,
  wholeNumber,
} from '../fields.ts';
import { eachSlot, SLOT_FIELDS, slotNumber } from './subject-slots.ts';

/** A grade, sent as a letter or as grade points, parsed to points; blank means not graded yet. */
const grade = () =>
  z.preprocess(
    (value) => {
      if (value === undefined || value === null) return null;
      if (typeof value === 'number') return value;
      if (typeof value !== 'string') return value;
      const sent = value.trim();
      if (sent === '') return null;
      const letter = GRADE_LETTERS.find((candidate) => candidate === sent);
      if (letter !== undefined) return gradePoints(letter);
      return /^\d(\.\d)?$/.test(sent) ? Number(sent) : value;
    },
    z
      .number(`must be one of ${GRADE_LETTERS.join(', ')}.`)
      .refine((points) => gradeLetter(points) !== undefined, `must be one of ${GRADE_LETTERS.join(', ')}.`)
      .nullable(),
  );

const slots = eachSlot(() => ({
  title: optionalText(),
  id: optionalWholeNumber(COURSE_IDS),
  credit: optionalWholeNumber(CREDIT_HOURS),
  grade: grade(),
}));

/** One subject with the semester it belongs to, as an import has it. */
export const resultInput = z.object({
  student_id: studentId,
  semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }),
  title: text(),
  course_id: optionalWholeNumber(COURSE_IDS),
  credits: optionalWholeNumber(CREDIT_HOURS),
  grade: grade(),
});

/** The subject fields of a semester, ten numbered slots of four; `{}` parses as ten empty ones. */
export const subjectSlots = z.object(slots);
export type SubjectSlots = z.infer<typeof subjectSlots>;

/** A slot is empty or has at least a title, and there are no more than ten. */
const checkSlots = (semester: SubjectSlots & Record<string, unknown>, ctx: z.RefinementCtx) => {
  for (const { title, id, credit, grade } of SLOT_FIELDS) {
    const isFilled = [id, credit, grade].some((field) => semester[field] !== null);
    if (semester[title] === null && isFilled) {
      ctx.addIssue({ code: 'custom', path: [title], message: 'field is required.' });
    }
  }
  for (const field of Object.keys(semester)) {
    if ((slotNumber(field) ?? 0) <= SUBJECT_COUNT) continue;
    ctx.addIssue({
      code: 'custom',
      path: [field],
      message: `${SUBJECT_COUNT} is the maximum number of subjects per semester`,
    });
  }
};

const semesterNumber = wholeNumber({ min: 1, max: SEMESTER_COUNT });

/** Why an administrator changes results that come from mark sheets; not needed for others. */
const reason = optionalReason();

const newResults = z.looseObject({ student_id: studentId, semester: semesterNumber, ...slots });
export type SemesterInput = z.infer<typeof newResults>;

/** The results of one semester of a new record. */
const semesterInput = newResults.extend({ reason }).superRefine(checkSlots);

const changedResults = newResults.partial({ student_id: true, semester: true });
export type SemesterChange = z.infer<typeof changedResults>;

/** New results of a recorded semester. Student and semester, if sent, must be those of the record. */
export const semesterUpdate = changedResults.extend({ reason }).superRefine(checkSlots);

/** The body of a call that removes results or brings them back, which may be left out. */
const resultsReason = z.object({ reason }).default({ reason: null });

/** One semester's results: up to ten subjects in numbered slots, empty slots null, grades as points. */
export const academicReply = z.object({
  academic_id: z.int(),
  student_id: z.string(),
  semester: z.int(),
  ...eachSlot(() => ({
    title: z.string().nullable(),
    id: z.int().nullable(),
    credit: z.int().nullable(),
    grade: z.number().nullable(),
  })),
  sgpa: z.number(),
  cgpa: z.number(),
  /** The student entered after it: it has no subjects and counts in nothing. Left out of every other semester. */
  elsewhere: z.literal(true).optional(),
});
export type Academic = z.infer<typeof academicReply>;

/** The semester in which a student enters who studied elsewhere before. */
export const entrySemesterInput = z.object({ semester: wholeNumber({ min: 2, max: SEMESTER_COUNT }) });
/** The semesters before the entry. */
export const entrySemesterReply = z.object({ message: z.string(), academics: z.array(academicReply) });

export const academicCreatedReply = z.object({ message: z.string(), academic: academicReply });

/** `entry` is the number of the deletion in the history, from which the semester can be restored. */
export const academicDeletedReply = z.object({ message: z.string(), entry: z.int() });

/** Whether results can be entered now; if so, `nextSemester` is the semester to enter. */
export const academicsStepReply = z.object({
  canProceed: z.boolean(),
  redirectToDashboard: z.boolean(),
  redirectToMain: z.boolean(),
  message: z.string(),
  nextSemester: z.int().optional(),
});
export type AcademicsStepReply = z.infer<typeof academicsStepReply>;

/** The rights to change the results of a student: see `reason` of the calls that change them. */
export const resultRightsReply = z.object({
  degree: z.string(),
  /** The grades of the batch come from mark sheets. */
  sheets_only: z.boolean(),
  /** Results that confirmed mark sheets wrote, in the order of semester and slot. */
  slots: z.array(z.object({ semester: z.int(), slot: z.int(), sheet_id: z.int(), title: z.string() })),
  /** Results that mark sheets wrote to an earlier record of this ID, in the order of the sheets. */
  unrecorded: z.array(z.object({ semester: z.int(), sheet_id: z.int(), title: z.string() })),
});
export type ResultRights = z.infer<typeof resultRightsReply>;

const classSubjectsQuery = z.strictObject({ semester: semesterNumber });

/** The subjects of others of the student's class in a semester. */
export const classSubjectsReply = z.object({
  /** Others of the class with results of this semester. */
  classmates: z.int(),
  /** At most ten, the most frequent first. */
  subjects: z.array(
    z.object({
      title: z.string(),
      course_id: z.int().nullable(),
      credits: z.int().nullable(),
      /** How many of the classmates have it. */
      students: z.int(),
    }),
  ),
});
export type ClassSubjects = z.infer<typeof classSubjectsReply>;

const RESERVED =
  'A semester that a confirmed mark sheet wrote to, and grades of a batch that come from mark sheets, are changed by an administrator, with a `reason`.';
const semesterPath = z.object({ academic_id: numberedPath });

export const academicCalls = {
  tag: 'Academics',
  calls: {
    'GET /api/students/:id/academics/create': {
      summary: 'May results be entered, and of which semester?',
      rights: ['read'],
      params: studentPath,
      replies: { 200: academicsStepReply },
    },
    'GET /api/students/:id/class-subjects': {
      summary: "The subjects of the student's class in a semester",
      description:
        'What others of the same department, degree and syndicate have in that semester, the most frequent first.',
      rights: ['read'],
      params: studentPath,
      query: classSubjectsQuery,
      replies: { 200: classSubjectsReply },
      refuses: [404, 422],
    },
    'GET /api/students/:id/result-rights': {
      summary: 'Which results of a student come from mark sheets',
      description: RESERVED,
      rights: ['read'],
      params: studentPath,
      replies: { 200: resultRightsReply },
      refuses: [404],
    },
    'POST /api/students/:id/entry-semester': {
      summary: 'Say in which semester a student enters who studied elsewhere before',
      description:
        'While no semester is recorded. The semesters before it are stored without subjects and count in nothing. Taken back by deleting the last recorded semester.',
      rights: ['write'],
      params: studentPath,
      body: entrySemesterInput,
      replies: { 201: entrySemesterReply },
      refuses: [404, 409, 422],
    },
    'POST /api/students/academics': {
      summary: 'Record the next semester of a student',
      description: RESERVED,
      rights: ['write'],
      body: semesterInput,
      replies: { 201: academicCreatedReply },
      refuses: [409, 422],
    },
    // Digits only: other paths belong to the student whose id is "academics".
    'PUT /api/students/academics/:academic_id(^\\d+$)': {
      summary: 'Replace the results of a semester',
      description: RESERVED,
      rights: ['write'],
      params: semesterPath,
      body: semesterUpdate,
      replies: { 200: academicCreatedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/students/academics/:academic_id(^\\d+$)': {
      summary: 'Delete the last recorded semester of a student',
      rights: ['write'],
      params: semesterPath,
      body: resultsReason,
      replies: { 200: academicDeletedReply },
      refuses: [404, 409, 412, 422],
    },
    'POST /api/students/:id/academics/restore': {
      summary: 'Bring back a deleted semester',
      description: 'Staff bring back what they deleted themselves.',
      rights: ['write'],
      params: studentPath,
      query: z.object({ entry: numberedPath }),
      body: resultsReason,
      replies: { 201: academicCreatedReply },
      refuses: [404, 409, 422],
    },
  },
} satisfies CallGroup;
