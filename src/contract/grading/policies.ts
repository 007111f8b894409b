import { z } from 'zod';
import {
  ATTENDANCE_EFFECTS,
  DEFAULT_RULES,
  GRADING_METHODS,
  type PolicyRules,
  REPEAT_POLICIES,
} from '../../domain/grading/policy.ts';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import { STANDINGS } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { errorsByPath } from '../errors.ts';
import { decimalNumber, objectOnly, oneOf, requiredOr, text, wholeNumber } from '../fields.ts';

const points = () =>
  decimalNumber({ min: 0, max: 4 }, 'must be 0 to 4 with at most two decimals.', hasTwoDecimals);
const mark = () =>
  decimalNumber(
    { min: 0, max: 100 },
    'must be a mark of 0 to 100 with at most two decimals.',
    hasTwoDecimals,
  );
const share = () =>
  decimalNumber({ min: 0, max: 1 }, 'must be a share of 0 to 1 with at most two decimals.', hasTwoDecimals);
const count = (max: number) => wholeNumber({ min: 1, max });
/** Of a term. */
const credits = () => count(60);
const PASSING_LETTERS = ['A', 'B+', 'B', 'C+', 'C', 'D+', 'D'] as const;

const isFalling = (values: readonly number[]) =>
  values.every((value, i) => i === 0 || value < (values[i - 1] ?? 0));

/** One number for each of the letters A to D. */
const sevenValues = (one: z.ZodType<number>, phrase: string) =>
  z.array(one, requiredOr(phrase)).length(7, phrase);

const SEVEN = 'must be seven numbers, for the letters A to D.';
const FALLING = 'must fall from A to D.';

export const kValues = sevenValues(
  decimalNumber({ min: -5, max: 5 }, 'must be -5 to 5 with at most two decimals.', hasTwoDecimals),
  SEVEN,
).refine(isFalling, FALLING);

export const quotaValues = sevenValues(share(), SEVEN).refine(
  (quotas) => quotas.reduce((sum, one) => sum + Math.round(one * 100), 0) <= 100,
  'must not come to more than 1 in all.',
);

const ruleFields = {
  repeat_policy: oneOf(REPEAT_POLICIES),
  warning_sgpa: points(),
  probation_cgpa: points(),
  review_fails: count(80),
  review_probations: count(8),
  review_first_fails: count(10),
  deans_list_sgpa: points(),
  degree_credits: count(480),
  degree_cgpa: points(),
  four_eyes: z.boolean('must be true or false.'),
  sheets_only: z.boolean('must be true or false.'),
  recheck_days: wholeNumber({ min: 0, max: 365 }),
  grading_method: oneOf(GRADING_METHODS),
  absolute_boundaries: sevenValues(mark(), SEVEN).refine(isFalling, FALLING),
  k: kValues,
  quotas: quotaValues,
  pass_floor: mark().nullable(),
  pass_guarantee: mark().nullable(),
  a_guarantee: mark().nullable(),
  relative_min: wholeNumber({ min: 2, max: 10_000 }),
  relative_full: wholeNumber({ min: 2, max: 10_000 }),
  max_a_share: share(),
  max_f_share: share(),
  boundary_step: decimalNumber(
    { min: 0.01, max: 5 },
    'must be 0.01 to 5 with at most two decimals.',
    hasTwoDecimals,
  ),
  attendance_min: decimalNumber(
    { min: 0, max: 100 },
    'must be a percentage of 0 to 100 with at most two decimals.',
    hasTwoDecimals,
  ),
  attendance_separate: z.boolean('must be true or false.'),
  attendance_effect: oneOf(ATTENDANCE_EFFECTS),
  load_max: credits(),
  load_good: credits(),
  load_good_cgpa: points(),
  load_probation: credits(),
  load_summer: credits(),
  improve_below: oneOf(PASSING_LETTERS),
} satisfies Record<keyof PolicyRules, z.ZodType>;

/** The rules of a policy, all present, as they are stored and answered. */
export const policyRules = z.object({
  repeat_policy: z.enum(REPEAT_POLICIES),
  warning_sgpa: z.number(),
  probation_cgpa: z.number(),
  review_fails: z.int(),
  review_probations: z.int(),
  review_first_fails: z.int(),
  deans_list_sgpa: z.number(),
  degree_credits: z.int(),
  degree_cgpa: z.number(),
  four_eyes: z.boolean(),
  /** Left out by policies that were stored before there was this rule. */
  sheets_only: z.boolean().default(DEFAULT_RULES.sheets_only),
  recheck_days: z.int(),
  grading_method: z.enum(GRADING_METHODS),
  absolute_boundaries: z.array(z.number()).readonly(),
  k: z.array(z.number()).readonly(),
  quotas: z.array(z.number()).readonly(),
  pass_floor: z.number().nullable(),
  pass_guarantee: z.number().nullable(),
  a_guarantee: z.number().nullable(),
  relative_min: z.int(),
  relative_full: z.int(),
  max_a_share: z.number(),
  max_f_share: z.number(),
  boundary_step: z.number(),
  /* Left out by policies that were stored before there were rules on attendance. */
  attendance_min: z.number().default(DEFAULT_RULES.attendance_min),
  attendance_separate: z.boolean().default(DEFAULT_RULES.attendance_separate),
  attendance_effect: z.enum(ATTENDANCE_EFFECTS).default(DEFAULT_RULES.attendance_effect),
  /* Left out by policies that were stored before there were these rules. */
  load_max: z.int().default(DEFAULT_RULES.load_max),
  load_good: z.int().default(DEFAULT_RULES.load_good),
  load_good_cgpa: z.number().default(DEFAULT_RULES.load_good_cgpa),
  load_probation: z.int().default(DEFAULT_RULES.load_probation),
  load_summer: z.int().default(DEFAULT_RULES.load_summer),
  improve_below: z.enum(PASSING_LETTERS).default(DEFAULT_RULES.improve_below),
} satisfies Record<keyof PolicyRules, z.ZodType>);

/** The rules as they are sent. Rules that are left out are those of policy 1. */
const rulesInput = z
  .preprocess(
    (sent) =>
      typeof sent === 'object' && sent !== null && !Array.isArray(sent)
        ? { ...DEFAULT_RULES, ...sent }
        : (sent ?? DEFAULT_RULES),
    z.strictObject(ruleFields, objectOnly),
  )
  .refine(({ relative_min, relative_full }) => relative_min <= relative_full, {
    error: 'must not be below the smallest class that is graded relatively.',
    path: ['relative_full'],
  })
  .refine(({ load_max, load_good }) => load_max <= load_good, {
    error: 'must not be below the credit hours of a term.',
    path: ['load_good'],
  });

const BATCHES = 'must be a list of batches, or null for all.';

/** The batches (values of the students' `degree`) that a policy applies to, each once; null for all. */
const degrees = z.preprocess(
  (sent) => sent ?? null,
  z
    .array(text(20), { error: BATCHES })
    .min(1, BATCHES)
    .max(200, 'must be at most 200 batches.')
    .transform((all) => [...new Set(all)])
    .nullable(),
);

export const policyPreviewInput = z.object({ degrees, rules: rulesInput }).register(errorsByPath, {});
export type PolicyPreviewInput = z.infer<typeof policyPreviewInput>;

export const policyInput = z
  .object({
    name: text(100),
    degrees,
    rules: rulesInput,
    /** The fingerprint of the preview. */
    fingerprint: text(100),
  })
  .register(errorsByPath, {});
export type PolicyInput = z.infer<typeof policyInput>;

/** Students in the sample of a preview. */
export const POLICY_SAMPLE_SIZE = 20;

const standing = z.enum(STANDINGS).nullable();

/**
 * Students with a standing that changes, of any semester. Those that were notified stay. `sample` and `moves` have the latest
 * semester whose standing changes.
 */
const standingPreview = z.object({
  changed: z.int(),
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      semester: z.int(),
      before: standing,
      after: standing,
    }),
  ),
  /** How many go from one standing to another, the most first. */
  moves: z.array(z.object({ before: standing, after: standing, students: z.int() })),
});

/** The changes that a policy would make. */
export const policyPreview = z.object({
  fingerprint: z.string(),
  /** Students in the batches of the policy. */
  students: z.int(),
  /** Students of whom the CGPA of any semester changes. */
  changed_students: z.int(),
  /** The CGPA is that of the latest semester whose CGPA changes. */
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      cgpa_before: z.number(),
      cgpa_after: z.number(),
    }),
  ),
  standing: standingPreview,
  /** Mark sheets of its batches that have not been submitted, so that they follow it. */
  drafts: z.int(),
});
export type PolicyPreview = z.infer<typeof policyPreview>;

export const policyReply = z.object({
  policy_id: z.int(),
  name: z.string(),
  degrees: z.array(z.string()).nullable(),
  rules: policyRules,
  created_at: z.iso.datetime(),
  /** Null for policy 1. */
  created_by: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** It is the one that holds for at least one batch, including those named nowhere. */
  in_force: z.boolean(),
  /** How many of the students of its batches have figures by it; null once all have. */
  progress: z.object({ done: z.int(), of: z.int() }).nullable(),
});
export type Policy = z.infer<typeof policyReply>;

export const policyListReply = z.array(policyReply);

/** The batches that a policy can apply to. */
export const batchListReply = z.array(z.object({ degree: z.string(), students: z.int() }));
export type Batches = z.infer<typeof batchListReply>;

export const policyCreatedReply = z.object({ message: z.string(), policy: policyReply });
const policyStaleReply = z.object({ message: z.string(), current: policyPreview });

export const policyCalls = {
  tag: 'Policies',
  calls: {
    'GET /api/policies': {
      summary: 'Grading policies, the highest number first',
      rights: ['account'],
      replies: { 200: policyListReply },
    },
    'GET /api/policies/batches': {
      summary: 'Batches that have students, the latest first',
      rights: ['administer'],
      replies: { 200: batchListReply },
    },
    'POST /api/policies/preview': {
      summary: 'Whose CGPA and standing a policy would change, and how many drafts of mark sheets follow it',
      description: 'Changes nothing. Rules that are left out are those of policy 1.',
      rights: ['administer'],
      body: policyPreviewInput,
      replies: { 200: policyPreview },
      refuses: [422],
    },
    'POST /api/policies': {
      summary: 'Make a grading policy for batches and compute the figures of their students by it',
      description:
        'With the `fingerprint` of the preview; 412 with a new preview when records have changed since. With more than 2,000 students the figures follow after the reply; `progress` of the list of policies says how far they are.',
      rights: ['administer'],
      body: policyInput,
      replies: { 201: policyCreatedReply, 412: policyStaleReply },
      refuses: [422],
    },
  },
} satisfies CallGroup;
