import { z } from 'zod';
import { GRADE_LETTERS, gradeLetter, gradePoints } from '../../domain/grading/gpa.ts';
import { CREDIT_HOURS, SEMESTER_COUNT, SUBJECT_COUNT } from '../../domain/student.ts';
import { COURSE_IDS, optionalText, optionalWholeNumber, studentId, text, wholeNumber } from '../fields.ts';
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

/** The results of one semester of a new record. */
export const semesterInput = z
  .looseObject({ student_id: studentId, semester: semesterNumber, ...slots })
  .superRefine(checkSlots);
export type SemesterInput = z.infer<typeof semesterInput>;

/** New results of a recorded semester. Student and semester, if sent, must be those of the record. */
export const semesterUpdate = z
  .looseObject({ student_id: studentId.optional(), semester: semesterNumber.optional(), ...slots })
  .superRefine(checkSlots);

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
});
export type Academic = z.infer<typeof academicReply>;

export const academicCreatedReply = z.object({ message: z.string(), academic: academicReply });

/** `entry` is the number of the deletion in the history, from which the semester can be restored. */
export const academicDeletedReply = z.object({ message: z.string(), entry: z.int() });
export type AcademicDeletedReply = z.infer<typeof academicDeletedReply>;

/** Whether results can be entered now; if so, `nextSemester` is the semester to enter. */
export const academicsStepReply = z.object({
  canProceed: z.boolean(),
  redirectToDashboard: z.boolean(),
  redirectToMain: z.boolean(),
  message: z.string(),
  nextSemester: z.int().optional(),
});
export type AcademicsStepReply = z.infer<typeof academicsStepReply>;

export const classSubjectsQuery = z.strictObject({ semester: semesterNumber });

/** What others of the student's class have in a semester. */
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
