import { z } from 'zod';
import { DEGREE_RULES } from '../../domain/grading/degree.ts';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { REPEAT_POLICIES } from '../../domain/grading/policy.ts';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, STANDINGS } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { decimalNumber, studentPath, wholeNumber } from '../fields.ts';

const cgpaQuery = z.strictObject({
  /** A recorded semester; the latest without it. */
  semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }).optional(),
});

const place = z.object({ semester: z.int(), slot: z.int() });

/** A subject and what it contributes to the CGPA. Points 0 to 4, rounded to two decimals where attempts are averaged. */
export const cgpaLine = place.extend({
  course_id: z.int().nullable(),
  title: z.string(),
  credits: z.int().nullable(),
  letter: z.enum(GRADE_LETTERS).nullable(),
  points: z.number().nullable(),
  /** Per credit hour; null when the subject does not count. */
  points_counted: z.number().nullable(),
  /** credits × points_counted; null when the subject does not count. */
  quality_points: z.number().nullable(),
  counted: z.boolean(),
  /** Why it does not count. */
  reason: z.enum(['no-grade', 'no-credits', 'repeated']).nullable(),
  /** The attempt that counts instead. */
  counted_in: place.nullable(),
});
export type CgpaLine = z.infer<typeof cgpaLine>;

/** How a CGPA is computed. `lines` are in the order of semester and slot. */
export const cgpaReply = z.object({
  policy_id: z.int(),
  repeat_policy: z.enum(REPEAT_POLICIES),
  /** The CGPA is the one after this semester; null when none is recorded. */
  semester: z.int().nullable(),
  lines: z.array(cgpaLine),
  /** Credit hours with a grade, repeats included. */
  credits_attempted: z.int(),
  /** Credit hours of the courses passed, each once. */
  credits_earned: z.int(),
  /** Credit hours from elsewhere, which count in no average. */
  credits_outside: z.int(),
  /** Credit hours by which the quality points are divided. */
  credits_counted: z.int(),
  quality_points: z.number(),
  /** quality_points ÷ credits_counted with four decimals; null when nothing counts. */
  quotient: z.string().nullable(),
  /** The quotient rounded half up to two decimals; null when nothing counts. */
  cgpa: z.number().nullable(),
  /** Graded subjects without a course ID, of which repeats can't be found. */
  not_linked: z.array(place),
});
export type CgpaExplanation = z.infer<typeof cgpaReply>;

const standing = z.enum(STANDINGS).nullable();
/** The rule that led to a standing with its figures, as a sentence; null for `good`. */
const clause = z.string().nullable();
/** The standing by today's figures and policy, where they differ from what was notified. */
const now = z.object({ standing, clause, policy_id: z.int() }).optional();

/** A confirmed mark sheet whose class has not been notified. */
export const waitingFor = z.object({
  sheet_id: z.int(),
  title: z.string(),
  /** The class of the sheet, which is another than the student's where a course is repeated. */
  department: z.enum(DEPARTMENT_CODES),
  degree: z.string(),
  semester: z.int(),
  term_id: z.int(),
  term_name: z.string(),
});
export type WaitingFor = z.infer<typeof waitingFor>;

/**
 * The standing of a semester is as it was notified, with the policy of that time; one that was never notified follows the policy
 * in force. A provisional semester has none.
 */
const standingSemester = z.object({
  semester: z.int(),
  sgpa: z.number(),
  cgpa: z.number(),
  standing,
  clause,
  policy_id: z.int(),
  now,
  provisional: z.boolean(),
  /** Mark sheets and grades for which a provisional semester waits. */
  waiting_for: z.array(waitingFor),
  /** Subjects without a grade; `status` is null where no mark sheet says why. Withdrawn and excused ones are final. */
  ungraded: z.array(
    z.object({ slot: z.int(), status: z.enum(['incomplete', 'withdrawn', 'excused']).nullable() }),
  ),
  /** Credit hours with a grade. */
  credits: z.int(),
});

/** `standing`, `clause`, `policy_id` and `now` are those of the last semester that has a standing. */
export const standingReply = z.object({
  policy_id: z.int(),
  standing,
  clause,
  now,
  semesters: z.array(standingSemester),
});
export type StandingReply = z.infer<typeof standingReply>;

const planQuery = z.strictObject({
  /** The CGPA to reach; that of the degree without it. */
  target: decimalNumber(
    { min: 0, max: 4 },
    'must be 0 to 4 with at most two decimals.',
    hasTwoDecimals,
  ).optional(),
  /** Credit hours to come; without it those of the degree that are not earned yet. */
  credits: wholeNumber({ min: 0, max: 480 }).optional(),
});

export const planReply = z.object({
  credits_done: z.int(),
  quality_points: z.number(),
  /** Null when nothing is graded. */
  cgpa: z.number().nullable(),
  target: z.number(),
  credits_left: z.int(),
  /** Average of what is left by which the target is reached, also above 4; null when nothing is left and it is not. */
  needed: z.number().nullable(),
  best_possible: z.number(),
  possible: z.boolean(),
});
export type PlanReply = z.infer<typeof planReply>;

export const degreeCheckReply = z.object({
  /** Null when no condition fails but one can't be known. */
  passed: z.boolean().nullable(),
  lines: z.array(
    z.object({ rule: z.enum(DEGREE_RULES), state: z.enum(['pass', 'fail', 'unknown']), text: z.string() }),
  ),
});
export type DegreeCheck = z.infer<typeof degreeCheckReply>;

/** Calls about figures that follow from the results of a student by the policy of the batch. */
export const gradingCalls = {
  tag: 'Students',
  calls: {
    'GET /api/students/:id/cgpa': {
      summary: 'How the CGPA of a student comes about, line by line',
      rights: ['read'],
      params: studentPath,
      query: cgpaQuery,
      replies: { 200: cgpaReply },
      refuses: [404, 422],
    },
    'GET /api/students/:id/standing': {
      summary: 'Academic standing of a student after each semester',
      rights: ['read'],
      params: studentPath,
      replies: { 200: standingReply },
      refuses: [404],
    },
    'GET /api/students/:id/plan': {
      summary: 'What a student needs for a target CGPA',
      rights: ['read'],
      params: studentPath,
      query: planQuery,
      replies: { 200: planReply },
      refuses: [404, 422],
    },
    'GET /api/students/:id/degree-check': {
      summary: 'Whether a record fulfils the conditions of the degree',
      rights: ['read'],
      params: studentPath,
      replies: { 200: degreeCheckReply },
      refuses: [404],
    },
  },
} satisfies CallGroup;
