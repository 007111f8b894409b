import { z } from 'zod';
import { EARLIEST_DATE } from '../domain/student.ts';

/**
 * Field kinds shared by the features. Every text a check can fail with is written here or beside its field as
 * what follows "The <field> ": `field is required.`, `must be …`. A text that starts with a capital or a digit
 * stands for itself. The server puts the two together (see `server/http/validation.ts`).
 */

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The text of a failed check: a field without a value is "required", any other gets `text`. */
export const otherwise = (text: string) => ({
  error: (issue: { input?: unknown }) => (isBlank(issue.input) ? 'field is required.' : text),
});

const blankToUndefined = (value: unknown) => (isBlank(value) ? undefined : value);

/** A required text, stored as sent but for the blanks at both ends. PostgreSQL can't hold NUL, and a lone surrogate would not come back as it was sent. */
export const text = (max = 255) =>
  z.preprocess(
    blankToUndefined,
    z
      .string(otherwise('must be text.'))
      .trim()
      .max(max, `must be at most ${max.toLocaleString('en')} characters.`)
      .refine(
        (value) => !value.includes('\0') && value.isWellFormed(),
        'must not contain broken characters.',
      ),
  );

/** An optional text: absent, null and blank are all `null`. */
export const optionalText = (max = 255) =>
  z.preprocess((value) => (isBlank(value) ? null : value), text(max).nullable());

/** Forms send numbers as text; only plain digits (with an optional sign and decimals) count as one. */
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
    z.number(otherwise(phrase)).int(phrase).min(range.min, phrase).max(range.max, phrase),
  );
};

/** A number with decimals. `allows` refines what the range alone does not say. */
export const decimalNumber = (
  range: { min: number; max: number },
  phrase: string,
  allows: (value: number) => boolean,
) =>
  z.preprocess(
    numberFromText,
    z.number(otherwise(phrase)).min(range.min, phrase).max(range.max, phrase).refine(allows, phrase),
  );

export const optionalWholeNumber = (range: { min: number; max: number }) =>
  z.preprocess((value) => (isBlank(value) ? null : value), wholeNumber(range).nullable());

/** A calendar date `YYYY-MM-DD` that exists, from the year 1900 on. */
export const date = () =>
  z.preprocess(
    blankToUndefined,
    z.iso
      .date(otherwise('must be a date such as 2005-03-14.'))
      .refine((day) => day >= EARLIEST_DATE, `must not be before ${EARLIEST_DATE.slice(0, 4)}.`),
  );

/** One of a fixed list. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess(blankToUndefined, z.enum(values, otherwise(`must be one of ${values.join(', ')}.`)));

export const optionalOneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess((value) => (isBlank(value) ? null : value), oneOf(values).nullable());

/** The greatest number that the engines give out as a key. */
const GREATEST_KEY = 2 ** 31 - 1;

/** A key that the database gave out, in a path or query: plain digits, nothing else that could be read as a number. */
export const numberedPath = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((key) => key <= GREATEST_KEY);

/** The same in a body, where it may be left out. */
export const optionalKey = () => optionalWholeNumber({ min: 1, max: GREATEST_KEY });
