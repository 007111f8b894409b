import { nameWords } from '../search-text.ts';
import { fullName } from '../student.ts';
import { isMisspelt } from './misspelt-words.ts';

/** Titles that some lists put before names. */
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'engr']);
/** Words before so many names that they tell nobody from somebody else, and others that are frequent. */
const PREFIXES = new Set(['muhammad', 'syed']);
const FREQUENT = new Set([...PREFIXES, 'khan', 'bibi', 'ali', 'ahmad']);

/** With fewer letters after it, `abdul` is the beginning of one name: Abdullah. */
const ABDUL = /^(abdul)(\p{L}{4,})$/u;

/** Spellings of one sound. They tell other names apart, such as Hamid and Hameed, so that searches do not take them for one. */
const foldSounds = (word: string): string =>
  word.replaceAll(/ee|ea/g, 'i').replaceAll(/oo|ou/g, 'u').replaceAll('ai', 'e').replace(/ah$/, 'a');

/** The words of a name without titles, each in one spelling. */
const toWords = (name: string): string[] =>
  nameWords(name)
    .filter((word) => !TITLES.has(word))
    .flatMap((word) => nameWords(word.replace(ABDUL, '$1 $2')))
    .map(foldSounds);

/** Whether one name is written in Latin letters, and the other in none of them: neither can be read as the other. */
const areOtherScripts = (one: string, other: string): boolean => isLatin(one) !== isLatin(other);
const isLatin = (name: string) => /\p{Script=Latin}/u.test(name);

/**
 * Whether two names may be of one person: they have the same words, in whatever order, case, accents and usual spelling. One of them
 * may have words that the other leaves out, or an initial for a word, and one word may be misspelt. A name without letters, and one in
 * another script, says nothing against it.
 */
export function isSameName(one: string, other: string): boolean {
  if (one === other || areOtherScripts(one, other)) return true;
  const [shorter = [], longer = []] = [toWords(one), toWords(other)].sort((a, b) => a.length - b.length);
  // Noor-ul-Huda and Noorulhuda.
  if (shorter.join('') === longer.join('')) return true;
  const left = [...longer];
  const take = (matches: (word: string) => boolean) => {
    const at = left.findIndex(matches);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const unmatched = shorter.filter((word) => !take((candidate) => candidate === word));
  const others = unmatched.filter((word) => !take((candidate) => isInitial(word, candidate)));
  const [misspelt, ...further] = others;
  if (further.length > 0) return false;
  return misspelt === undefined || take((candidate) => isMisspelt(misspelt, candidate));
}

/** Whether two names have no word in common but one that many people have. */
function isUnlikeName(one: string, other: string): boolean {
  const words = ownWords(other);
  return !ownWords(one).some((word) =>
    words.some((candidate) => candidate === word || isMisspelt(word, candidate)),
  );
}

/** The words of a name by which it is told from others; all of them where there are no such. */
function ownWords(name: string): readonly string[] {
  const words = toWords(name);
  const own = words.filter((word) => !FREQUENT.has(word));
  return own.length > 0 ? own : words;
}

const isInitial = (one: string, other: string) =>
  (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other));

interface Person {
  first_name: string;
  last_name: string;
  dob: string;
}

/** The fields of a person that a row gives. */
type Given = { [Field in keyof Person]?: Person[Field] | undefined };

/**
 * Whether new values of a student's record name somebody else than it does: another name and another date of birth, or, where no date
 * is given, a first name without a common word. A corrected spelling, another last name and another date alone do not. Only the names
 * that are given are compared.
 */
export function isOtherPerson(before: Person, given: Given): boolean {
  const [was, is] = [namesOf(before, given), namesOf(given, given)];
  if (isSameName(was, is)) return false;
  if (given.dob !== undefined) return given.dob !== before.dob;
  if (given.first_name === undefined || isSameGivenName(before.first_name, given.first_name)) return false;
  return isUnlikeName(was, is);
}

/** Whether two first names are one, and both more than a word before many names. */
const isSameGivenName = (one: string, other: string): boolean =>
  isSameName(one, other) && [one, other].every((name) => toWords(name).some((word) => !PREFIXES.has(word)));

/** The names of a person that are given of another one, too. */
const namesOf = (person: Given, given: Given): string =>
  fullName({
    first_name: given.first_name === undefined ? '' : (person.first_name ?? ''),
    last_name: given.last_name === undefined ? '' : (person.last_name ?? ''),
  });
