import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { GRADING_METHODS } from '../../domain/grading/policy.ts';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import { boundariesFault } from '../../domain/marksheets/boundaries.ts';
import { REASON_LENGTH } from '../../domain/reason.ts';
import type { CallGroup } from '../calls.ts';
import { errorsByPath } from '../errors.ts';
import { decimalNumber, objectOnly, oneOf, optionalText, reason, requiredOr } from '../fields.ts';
import { kValues, quotaValues } from '../grading/policies.ts';
import { sheetPath, sheetSavedReply } from './sheets.ts';

const SEVEN = 'must be seven numbers, for the letters A to D.';

const sevenBoundaries = z.array(z.number(SEVEN), requiredOr(SEVEN)).superRefine((boundaries, context) => {
  const fault = boundariesFault(boundaries);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** The rules of the policy hold where one is missing. */
const params = z
  .object(
    { k: kValues.optional(), quotas: quotaValues.optional(), boundaries: sevenBoundaries.optional() },
    objectOnly,
  )
  .nullish();

const step = decimalNumber(
  { min: 0.01, max: 5 },
  'must be 0.01 to 5 with at most two decimals.',
  hasTwoDecimals,
).nullish();

/** A method of grading; that of the policy without it. */
export const proposeInput = z
  .object({ method: oneOf(GRADING_METHODS).optional(), params, step })
  .register(errorsByPath, {});
export type ProposeInput = z.infer<typeof proposeInput>;

/** `reason` is needed where there is a warning and boundaries were moved by hand. */
export const boundariesInput = z
  .object({
    method: oneOf(GRADING_METHODS),
    params,
    step,
    boundaries: sevenBoundaries,
    reason: optionalText(REASON_LENGTH.max),
  })
  .register(errorsByPath, {});
export type BoundariesInput = z.infer<typeof boundariesInput>;

const letter = z.enum(GRADE_LETTERS);
const byLetter = <Value extends z.ZodType>(value: Value) => z.record(letter, value);

const gradingWarning = z.object({
  rule: z.enum(['max-a-share', 'max-f-share', 'relative-full']),
  text: z.string(),
});

export const proposeReply = z.object({
  boundaries: z.array(z.number()).nullable(),
  counts: byLetter(z.int()),
  /** 0 to 1, two decimals. */
  shares: byLetter(z.number()),
  mean_points: z.number().nullable(),
  stats: z.object({ n: z.int(), mean: z.number().nullable(), std_dev: z.number().nullable() }),
  borderline: z.array(
    z.object({
      student_id: z.string(),
      total: z.number(),
      letter,
      next_letter: letter,
      short_by: z.number(),
    }),
  ),
  warnings: z.array(gradingWarning),
  /** Why the class can't be graded by this method; the rest is empty then. */
  refused: z.string().nullable(),
});
export type Proposal = z.infer<typeof proposeReply>;

/** Earlier confirmed sheets of the course, the newest first: at most three. */
export const offeringsReply = z.array(
  z.object({
    sheet_id: z.int(),
    term_name: z.string(),
    class: z.string(),
    n: z.int(),
    mean: z.number().nullable(),
    std_dev: z.number().nullable(),
    mean_points: z.number().nullable(),
    shares: byLetter(z.number()),
  }),
);
export type Offerings = z.infer<typeof offeringsReply>;

const check = z.object({ rule: z.string(), text: z.string(), student_ids: z.array(z.string()) });
export type SheetCheck = z.infer<typeof check>;

/** `refusals` keep the sheet from being submitted; `warnings` need a reason each. */
export const checksReply = z.object({ refusals: z.array(check), warnings: z.array(check) });
export type SheetChecks = z.infer<typeof checksReply>;

/** Reasons by rule of the warning. */
export const submitInput = z
  .object({
    reasons: z.record(z.string(), z.string('must be text.'), requiredOr('must be an object.')).nullish(),
  })
  .register(errorsByPath, {});
export type SubmitInput = z.infer<typeof submitInput>;

/** 409: what keeps the sheet from being submitted. */
const submitRefusedReply = z.object({ message: z.string(), refusals: z.array(check).optional() });

export const takeBackInput = z.object({ reason: reason() });

export const sheetGradingCalls = {
  tag: 'Mark sheets',
  calls: {
    'POST /api/sheets/:sheet_id/boundaries/propose': {
      summary: 'The boundaries of a method for the class as it is now',
      description: 'Stores nothing. What is left out is that of the policy.',
      rights: ['read', 'sheets'],
      params: sheetPath,
      body: proposeInput,
      replies: { 200: proposeReply },
      refuses: [404, 422],
    },
    'PUT /api/sheets/:sheet_id/boundaries': {
      summary: 'Store the boundaries of a draft',
      description: '`reason` where boundaries were moved by hand and a warning stands.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: boundariesInput,
      replies: { 200: sheetSavedReply },
      refuses: [404, 409, 412, 422],
    },
    'GET /api/sheets/:sheet_id/offerings': {
      summary: 'The last three confirmed mark sheets of the course',
      rights: ['read', 'sheets'],
      params: sheetPath,
      replies: { 200: offeringsReply },
      refuses: [404],
    },
    'GET /api/sheets/:sheet_id/checks': {
      summary: 'What keeps a mark sheet from being submitted, and what needs a reason',
      rights: ['read', 'sheets'],
      params: sheetPath,
      replies: { 200: checksReply },
      refuses: [404],
    },
    'POST /api/sheets/:sheet_id/submit': {
      summary: 'Submit a draft for confirmation',
      description: 'With a reason for each warning.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: submitInput,
      replies: { 200: sheetSavedReply, 409: submitRefusedReply },
      refuses: [404, 422],
    },
    'POST /api/sheets/:sheet_id/take-back': {
      summary: 'Make a submitted mark sheet a draft again',
      description: 'Staff take back only what they submitted themselves.',
      rights: ['write', 'sheets'],
      params: sheetPath,
      body: takeBackInput,
      replies: { 200: sheetSavedReply },
      refuses: [404, 409, 422],
    },
  },
} satisfies CallGroup;
