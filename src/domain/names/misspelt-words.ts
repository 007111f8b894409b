/** Shorter words are other words if they differ in a letter: Ali, Adi. */
const MIN_LENGTH = 4;
/** No two words of titles that are longer differ in one letter alone. */
const MIN_LONG_LENGTH = 7;
const VOWELS = 'aeiou';
/** Letters that are left out and added where a word is written as it is heard. */
const SOFT = `${VOWELS}hy`;

/**
 * Whether two folded words may be one word of which a letter inside is misspelt: a vowel taken for another one, or a vowel, `h`, `y`
 * or one of two equal letters left out or added. Any other letter makes another word: Sana and Saba, Asad and Ahad; so does one at the
 * beginning or end: Sara and Zara, Salma and Salman.
 */
export function isMisspelt(one: string, other: string): boolean {
  const at = differsAt(one, other, MIN_LENGTH);
  if (at === undefined) return false;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const letter = longer[at] ?? '';
  if (longer.length === shorter.length) return VOWELS.includes(letter) && VOWELS.includes(shorter[at] ?? '');
  return SOFT.includes(letter) || letter === longer[at - 1];
}

/** Whether two folded words are misspelt, or are long and differ in any one letter inside. Not for names. */
export const isMistyped = (one: string, other: string): boolean =>
  isMisspelt(one, other) || differsAt(one, other, MIN_LONG_LENGTH) !== undefined;

/** Where two words differ, if it is by one letter inside that is another one, or is left out of one of them. */
function differsAt(one: string, other: string, minLength: number): number | undefined {
  if (Math.min(one.length, other.length) < minLength) return undefined;
  if (one[0] !== other[0] || one.at(-1) !== other.at(-1)) return undefined;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (longer.length - shorter.length > 1) return undefined;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  const isRestSame = shorter.slice(longer.length === shorter.length ? at + 1 : at) === longer.slice(at + 1);
  return isRestSame && at < shorter.length ? at : undefined;
}
