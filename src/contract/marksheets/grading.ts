import { z } from 'zod';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { GRADING_METHODS } from '../../domain/grading/policy.ts';
import { hasTwoDecimals } from '../../domain/hundredths.ts';
import { boundariesFault } from '../../domain/marksheets/boundaries.ts';
import { REASON_LENGTH } from '../../domain/reason.ts';
import { errorsByPath } from '../errors.ts';
import { decimalNumber, objectOnly, oneOf, optionalText, reason, requiredOr } from '../fields.ts';
import { kValues, quotaValues } from '../grading/policies.ts';

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
export const submitRefusedReply = z.object({ message: z.string(), refusals: z.array(check).optional() });

export const takeBackInput = z.object({ reason: reason() });
