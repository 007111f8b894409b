import { z } from 'zod';
import {
  hasControlCharacters,
  hasControlCharactersInLines,
  isBlankText,
} from '../domain/control-characters.ts';
import { formatCount } from '../domain/format-count.ts';
import { REASON_LENGTH } from '../domain/reason.ts';
import { EARLIEST_DATE } from '../domain/student.ts';

/**
 * Field schemas shared by the features. A message continues "The <field> ", such as `field is required.` or `must be …`;
 * one that starts with a capital or a digit is complete. The server joins the two (`server/http/validation.ts`).
 */

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && isBlankText(value));

/** The message of a failed check: `field is required.` without a value, otherwise `text`. */
export const requiredOr = (text: string) => ({
  error: (issue: { input?: unknown }) => (isBlank(issue.input) ? 'field is required.' : text),
});

const blankToUndefined = (value: unknown) => (isBlank(value) ? undefined : value);

/** PostgreSQL can't store NUL, and a lone surrogate would be replaced. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();

const CONTROL_CHARACTERS = 'must not contain control characters.';

const textWithout = (max: number, hasForbidden: (value: string) => boolean) =>
  z.preprocess(
    blankToUndefined,
    z
      .string(requiredOr('must be text.'))
      .trim()
      .max(max, `must be at most ${formatCount(max)} characters.`)
      .refine(isStorable, { error: 'must not contain broken characters.', abort: true })
      .refine((value) => !hasForbidden(value), CONTROL_CHARACTERS),
  );

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isBlank(value) ? null : value), schema.nullable());

/** A required text of one line, trimmed. */
export const text = (max = 255) => textWithout(max, hasControlCharacters);

/** Why something is done that needs a reason. */
export const reason = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z
      .string(requiredOr('must be text.'))
      .min(1, 'field is required.')
      .min(REASON_LENGTH.min, `must be at least ${REASON_LENGTH.min} characters.`)
      .max(REASON_LENGTH.max, `must be at most ${REASON_LENGTH.max} characters.`)
      .refine(isStorable, { error: 'must not contain broken characters.', abort: true })
      .refine((value) => !hasControlCharactersInLines(value), CONTROL_CHARACTERS),
  );

/** A {@link reason} where one may be needed; absent, null and blank become `null`. */
export const optionalReason = () => optional(reason());

/** An optional text of one line; absent, null and blank become `null`. */
export const optionalText = (max = 255) => optional(text(max));

/** An optional text of several lines, which may contain tabs. */
export const optionalLines = (max: number) => optional(textWithout(max, hasControlCharactersInLines));

/** Forms send numbers as text: digits with an optional sign and decimals. */
const numberFromText = (value: unknown) => {
  if (isBlank(value)) return undefined;
  if (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  return value;
};

export const wholeNumber = (range: { min: number; max: number }) => {
  const phrase =
    range.max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${range.min}.`
      : `must be a whole number from ${range.min} to ${range.max}.`;
  return z.preprocess(
    numberFromText,
    z.number(requiredOr(phrase)).int(phrase).min(range.min, phrase).max(range.max, phrase),
  );
};

/** A number with decimals. `allows` is a further condition. */
export const decimalNumber = (
  range: { min: number; max: number },
  phrase: string,
  allows: (value: number) => boolean,
) =>
  z.preprocess(
    numberFromText,
    z.number(requiredOr(phrase)).min(range.min, phrase).max(range.max, phrase).refine(allows, phrase),
  );

export const optionalWholeNumber = (range: { min: number; max: number }) => optional(wholeNumber(range));

/** A calendar date `YYYY-MM-DD` that exists, from the year 1900 on. */
export const date = () =>
  z.preprocess(
    blankToUndefined,
    z.iso
      .date(requiredOr('must be a date such as 2005-03-14.'))
      .refine((day) => day >= EARLIEST_DATE, `must not be before ${EARLIEST_DATE.slice(0, 4)}.`),
  );

/** A {@link date} or nothing. */
export const optionalDate = () => optional(date());

/** One of a fixed list. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess(blankToUndefined, z.enum(values, requiredOr(`must be one of ${values.join(', ')}.`)));

export const optionalOneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  optional(oneOf(values));

/** Message for a value that is no object or has unknown members. */
export const objectOnly = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `must not hold ${issue.keys.join(', ')}.`
      : issue.input === undefined
        ? 'field is required.'
        : 'must be an object.',
};

/** The largest key that both engines generate. */
const MAX_KEY = 2 ** 31 - 1;

/** A generated key in a path or query: digits only. */
export const numberedPath = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((key) => key <= MAX_KEY);

/** A generated key in a body, optional. */
export const optionalKey = () => optionalWholeNumber({ min: 1, max: MAX_KEY });

/** Registration number, shown as CMS ID. A JSON number is converted to its digits. */
export const studentId = z.preprocess(
  (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    return value ?? undefined;
  },
  z
    .string(requiredOr('must be 1 to 20 letters, digits, dashes, dots or underscores.'))
    .regex(/^[A-Za-z0-9._-]{1,20}$/, 'must be 1 to 20 letters, digits, dashes, dots or underscores.')
    .refine((id) => !['create', 'print', '.', '..'].includes(id), 'must not be a reserved word.'),
);

/** A path with the registration number of a student, which may be any text. */
export const studentPath = z.object({ id: z.string() });

/** A course's number is a positive safe integer. */
export const COURSE_IDS = { min: 1, max: Number.MAX_SAFE_INTEGER } as const;

/** A course's number, as a JSON number or a text of digits. */
export const courseId = wholeNumber(COURSE_IDS);

/** A course's number in a path: digits only. */
export const courseIdPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);
