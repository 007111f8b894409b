import { foldText } from '../search-text.ts';

/** How decimals are written: `67,5` or `67.5`. */
export const DECIMAL_MARKS = ['comma', 'point'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** Words that sheets have in place of the mark of a student who did not sit the examination. */
const ABSENT_WORDS = new Set([
  ...['a', 'ab', 'abs', 'abst', 'absent', 'absentee', 'was absent', 'did not appear', 'dna', 'not appeared'],
  ...['abwesend', 'absente', 'ausente', 'assente', 'غیر حاضر', 'غیرحاضر'].map(foldText),
]);
const DASH = /^[-‐‑‒–—―−]{1,3}$/u;

/** Whether a cell is a dash, which usually means that a student was absent. */
export const isDash = (text: string): boolean => DASH.test(text.trim());

/** Whether a cell says in words that a student was absent. */
export function isAbsenceWord(text: string): boolean {
  const trimmed = text.trim();
  // Most cells are numbers, and all are looked at.
  if (trimmed === '' || trimmed.length > 20 || /^\d/.test(trimmed)) return false;
  return ABSENT_WORDS.has(
    foldText(trimmed.replace(/^\(|\)$/g, '').replace(/\.$/, '')).replaceAll(/\s+/g, ' '),
  );
}

/** Whether a cell says that a student was absent, in words or by a dash. */
export const isAbsence = (text: string): boolean => isDash(text) || isAbsenceWord(text);

/** A cell that begins as a number does; `67%` and `67/100` do too, so that they are named as faults. */
const NUMBER_LIKE = /^[+-]?[.,]?\p{N}/u;
export const isNumberLike = (text: string): boolean => NUMBER_LIKE.test(text.trim());

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/;
const NUMBER_WITH_COMMA = /^\d+,\d+$/;

/**
 * A number that is written in digits; NaN for every other notation: 1e3, 0x10, +5, .5.
 *
 * @param takesComma a comma is a decimal comma
 */
export function plainNumber(text: string, takesComma: boolean): number {
  const value = takesComma && NUMBER_WITH_COMMA.test(text) ? text.replace(',', '.') : text;
  return PLAIN_NUMBER.test(value) ? Number(value) : Number.NaN;
}

/** A word has a letter before any digit, or is an ordinal. What programs write in place of a number (`NaN`) is no word. */
const WORD = /^(?:[^\p{L}\p{N}]*\p{L}|\d+(?:st|nd|rd|th)\b)/iu;
const NOT_A_NUMBER = /^[+-]?(?:nan|inf|infinity)$/i;
const SERIAL_HEADING = /^(?:#|№)$/u;

export const isWord = (text: string): boolean =>
  (WORD.test(text) || SERIAL_HEADING.test(text)) && !text.includes('\0') && !NOT_A_NUMBER.test(text);
