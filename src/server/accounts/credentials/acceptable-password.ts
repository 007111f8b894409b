import { normalizePassword, PASSWORD_LENGTH, ROLES } from '../../../contract/accounts/accounts.ts';
import { DEPARTMENTS } from '../../../domain/student.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';

/** Characters beside such words that make no secret of them. */
const MAX_ADDITION = 4;

/** Letters that are written as digits or signs. */
const SUBSTITUTES = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', $: 's', '@': 'a', '!': 'i' }),
);

const fold = (text: string) => normalizePassword(text).toLowerCase();

/** Shorter words of names are parts of too many others. */
const MIN_WORD_LENGTH = 3;
const toWords = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{M}]+/u)
    .filter(({ length }) => length >= MIN_WORD_LENGTH);

/** Words that somebody who wants to get into this product tries first, with the names of roles and departments. */
const PRODUCT_WORDS = [
  'SIMS students student information management system registrar faculty administrator examination transcript',
  ...ROLES,
  ...Object.values(DEPARTMENTS),
].flatMap(toWords);

interface Owner {
  name: string;
  email: string;
}

/**
 * Rejects passwords that are guessed early: the owner's name or email, these and words of the product or the institution with a few
 * characters or a number added, a short text repeated, and passwords that are common in leaked lists, also with digits for letters
 * or a number added.
 *
 * @throws ValidationError
 */
export async function requireAcceptablePassword(db: Db, password: string, owner: Owner): Promise<void> {
  const refuse = (reason: string) => {
    throw invalidField('password', reason);
  };
  const ownTexts = [owner.name, owner.email, owner.email.split('@')[0] ?? ''].map(fold);
  if (ownTexts.includes(fold(password))) refuse('The password must differ from the name and the email.');
  if (isRepetition(password)) refuse('The password must not be a short text repeated.');
  const institution = await db.selectFrom('institution').select(['name', 'short_name']).executeTakeFirst();
  const words = [...ownTexts, institution?.name ?? '', institution?.short_name ?? ''].flatMap(toWords);
  if (isMadeOf([...PRODUCT_WORDS, ...words], password)) {
    refuse('The password must be more than words of this program, the institution, or your name and email.');
  }
  if (await isCommon(password)) refuse('The password must not be one of the common passwords.');
}

/** Longer repetitions are not what people and programs guess first. */
const MAX_GUESSED_LENGTH = 32;

/** Whether a password is a text, too short for a password itself, at least twice. */
function isRepetition(password: string): boolean {
  if (password.length > MAX_GUESSED_LENGTH) return false;
  const longest = Math.min(PASSWORD_LENGTH.min - 1, Math.floor(password.length / 2));
  return Array.from({ length: longest }, (_, index) => index + 1).some(
    (length) => password.slice(length) === password.slice(0, -length),
  );
}

/** Whether a password has words of a list, and else only a number or a few characters. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return [fold(password), withLetters(fold(password))].some((text) => {
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), text);
    const addition = rest.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
    return rest !== text && (addition.length <= MAX_ADDITION || /^\p{N}*$/u.test(addition));
  });
}

const withLetters = (text: string) => [...text].map((letter) => SUBSTITUTES.get(letter) ?? letter).join('');

/** The number of common passwords that are tried with digits for letters and with a number added. */
const MOST_FREQUENT = 10_000;

/**
 * Whether a password is among the fifty thousand that are most frequent in leaked lists. The list is large and needed only when a
 * password is set, so it is loaded then.
 */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const common = dictionary['passwords-common'];
  const typed = fold(password);
  const core = typed.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  const changed = new Set([withLetters(typed), core, withLetters(core)]);
  return common.includes(typed) || common.slice(0, MOST_FREQUENT).some((entry) => changed.has(entry));
}
