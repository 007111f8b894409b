import { z } from 'zod';
import { GRADE_LETTERS, gradeLetter, gradePoints } from '../domain/grade-scale.ts';
import { CREDIT_HOURS, SEMESTER_COUNT, SUBJECT_COUNT } from '../domain/student.ts';
import { COURSE_IDS } from './course-id.ts';
import { optionalText, optionalWholeNumber, wholeNumber } from './fields.ts';
import { studentId } from './student-id.ts';

/** A grade, sent as a letter or as its grade points, kept as points; blank is "not graded yet". */
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

const title = () => optionalText();
const subjectId = () => optionalWholeNumber(COURSE_IDS);
const credit = () => optionalWholeNumber(CREDIT_HOURS);

const slots = {
  subject_1: title(),
  subject_1_id: subjectId(),
  subj_credit_1: credit(),
  subj_grade_1: grade(),
  subject_2: title(),
  subject_2_id: subjectId(),
  subj_credit_2: credit(),
  subj_grade_2: grade(),
  subject_3: title(),
  subject_3_id: subjectId(),
  subj_credit_3: credit(),
  subj_grade_3: grade(),
  subject_4: title(),
  subject_4_id: subjectId(),
  subj_credit_4: credit(),
  subj_grade_4: grade(),
  subject_5: title(),
  subject_5_id: subjectId(),
  subj_credit_5: credit(),
  subj_grade_5: grade(),
  subject_6: title(),
  subject_6_id: subjectId(),
  subj_credit_6: credit(),
  subj_grade_6: grade(),
  subject_7: title(),
  subject_7_id: subjectId(),
  subj_credit_7: credit(),
  subj_grade_7: grade(),
  subject_8: title(),
  subject_8_id: subjectId(),
  subj_credit_8: credit(),
  subj_grade_8: grade(),
  subject_9: title(),
  subject_9_id: subjectId(),
  subj_credit_9: credit(),
  subj_grade_9: grade(),
  subject_10: title(),
  subject_10_id: subjectId(),
  subj_credit_10: credit(),
  subj_grade_10: grade(),
};

/** Numbers of the subject slots of a semester, as they stand in the field names. */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export type Slot = (typeof SLOTS)[number];

/** The subject fields of a semester, ten numbered slots of four; `{}` parses as ten empty ones. */
export const subjectSlots = z.object(slots);
export type SubjectSlots = z.infer<typeof subjectSlots>;

const beyondTheLastSlot = (key: string) => {
  const slot = /^(?:subject|subj_credit|subj_grade)_(\d+)(?:_id)?$/.exec(key)?.[1];
  return slot !== undefined && Number(slot) > SUBJECT_COUNT;
};

/** A slot is empty or has at least a title, and there are ten of them. */
const checkSlots = (semester: SubjectSlots & Record<string, unknown>, ctx: z.RefinementCtx) => {
  for (const slot of SLOTS) {
    const others = [
      semester[`subject_${slot}_id`],
      semester[`subj_credit_${slot}`],
      semester[`subj_grade_${slot}`],
    ];
    if (semester[`subject_${slot}`] === null && others.some((value) => value !== null)) {
      ctx.addIssue({ code: 'custom', path: [`subject_${slot}`], message: 'field is required.' });
    }
  }
  for (const key of Object.keys(semester).filter(beyondTheLastSlot)) {
    ctx.addIssue({
      code: 'custom',
      path: [key],
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

/** The results of one semester again; student and semester are those of the record. */
export const semesterUpdate = z
  .looseObject({ student_id: studentId.optional(), semester: semesterNumber.optional(), ...slots })
  .superRefine(checkSlots);

const slotReply = {
  title: z.string().nullable(),
  id: z.int().nullable(),
  credit: z.int().nullable(),
  points: z.number().nullable(),
};

/** One semester's results: up to ten subjects in numbered slots, empty slots null, grades as points. */
export const academicReply = z.object({
  academic_id: z.int(),
  student_id: z.string(),
  semester: z.int(),
  subject_1: slotReply.title,
  subject_1_id: slotReply.id,
  subj_credit_1: slotReply.credit,
  subj_grade_1: slotReply.points,
  subject_2: slotReply.title,
  subject_2_id: slotReply.id,
  subj_credit_2: slotReply.credit,
  subj_grade_2: slotReply.points,
  subject_3: slotReply.title,
  subject_3_id: slotReply.id,
  subj_credit_3: slotReply.credit,
  subj_grade_3: slotReply.points,
  subject_4: slotReply.title,
  subject_4_id: slotReply.id,
  subj_credit_4: slotReply.credit,
  subj_grade_4: slotReply.points,
  subject_5: slotReply.title,
  subject_5_id: slotReply.id,
  subj_credit_5: slotReply.credit,
  subj_grade_5: slotReply.points,
  subject_6: slotReply.title,
  subject_6_id: slotReply.id,
  subj_credit_6: slotReply.credit,
  subj_grade_6: slotReply.points,
  subject_7: slotReply.title,
  subject_7_id: slotReply.id,
  subj_credit_7: slotReply.credit,
  subj_grade_7: slotReply.points,
  subject_8: slotReply.title,
  subject_8_id: slotReply.id,
  subj_credit_8: slotReply.credit,
  subj_grade_8: slotReply.points,
  subject_9: slotReply.title,
  subject_9_id: slotReply.id,
  subj_credit_9: slotReply.credit,
  subj_grade_9: slotReply.points,
  subject_10: slotReply.title,
  subject_10_id: slotReply.id,
  subj_credit_10: slotReply.credit,
  subj_grade_10: slotReply.points,
  sgpa: z.number(),
  cgpa: z.number(),
});
export type Academic = z.infer<typeof academicReply>;

export const academicCreatedReply = z.object({ message: z.string(), academic: academicReply });

/** May results be entered? If so, `nextSemester` is the one to enter. */
export const academicsGateReply = z.object({
  canProceed: z.boolean(),
  redirectToDashboard: z.boolean(),
  redirectToMain: z.boolean(),
  message: z.string(),
  nextSemester: z.int().optional(),
});
export type AcademicsGate = z.infer<typeof academicsGateReply>;
