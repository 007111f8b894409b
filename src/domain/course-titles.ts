import { isMistyped } from './names/misspelt-words.ts';
import { foldWords } from './search-text.ts';

/** Words that say nothing about what a course is. */
const FILLERS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'the', 'to', 'with']);
const ROMAN = new Map(['i', 'ii', 'iii', 'iv', 'v', 'vi'].map((numeral, i) => [numeral, String(i + 1)]));
const isNumber = (word: string) => /^\d+$/.test(word);

/** The words of a title, numerals apart. */
function titleWords(title: string): { words: string[]; numbers: string[] } {
  const all = foldWords(title)
    .filter((word) => !FILLERS.has(word))
    .map((word) => ROMAN.get(word) ?? word);
  return { words: all.filter((word) => !isNumber(word)), numbers: all.filter(isNumber) };
}

/**
 * Whether two titles may be of one course. They need not be the same: one may leave out words, shorten them (`Engg Mech`), misspell
 * them by a letter or have their first letters (`OOP Lab`). Where both are numbered, they have the same number.
 */
export function isSameCourseTitle(one: string, other: string): boolean {
  const [a, b] = [titleWords(one), titleWords(other)];
  if (a.numbers.length > 0 && b.numbers.length > 0 && a.numbers.join() !== b.numbers.join()) return false;
  const [shorter, longer] = [spellOut(a.words, b.words), spellOut(b.words, a.words)].sort(
    (x, y) => x.length - y.length,
  );
  if (shorter === undefined || longer === undefined || shorter.length === 0) return true;
  const left = [...longer];
  return shorter.every((word) => {
    const at = left.findIndex((candidate) => isSameWord(word, candidate));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The words of a title, with those of another one in place of their first letters: `OOP` beside `Object Oriented Programming`. */
function spellOut(words: readonly string[], other: readonly string[]): string[] {
  const initials = other.map((word) => word[0]).join('');
  return words.flatMap((word) => {
    const at = word.length > 1 ? initials.indexOf(word) : -1;
    return at < 0 ? [word] : other.slice(at, at + word.length);
  });
}

const isSameWord = (one: string, other: string) =>
  isShortened(one, other) || isShortened(other, one) || (isMistyped(one, other) && !areOpposites(one, other));

/** Microeconomics is not macroeconomics, which is misspelt no more than others are. */
const areOpposites = (one: string, other: string) =>
  /^m[ia]cro/.test(one) && one.slice(0, 2) !== other.slice(0, 2);

/** Whether a word is the beginning of another one, or half of its letters at most, the first of which it has: `Engg`. */
function isShortened(word: string, whole: string): boolean {
  // Study, studies.
  if (whole.startsWith(word.replace(/y$/, 'i')) || whole.startsWith(word)) return true;
  if (word[0] !== whole[0] || word.length > whole.length / 2) return false;
  let at = 0;
  for (const letter of word) {
    at = whole.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
