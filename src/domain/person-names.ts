import { foldWords, nameWords } from './search-text.ts';

/** Titles that some lists put before names. */
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'engr']);
/** Shorter words are other names if they differ in a letter: Ali, Adi. */
const MIN_MISSPELT_LENGTH = 4;

const withoutTitles = (name: string): string[] => nameWords(name).filter((word) => !TITLES.has(word));

/**
 * Whether two names may be of one person: they have the same words, in whatever order, case, accents and usual spelling. One of them
 * may have words that the other leaves out, or an initial for a word, and one word may be misspelt by a letter inside it. A name
 * without letters says nothing against it.
 */
export function isSameName(one: string, other: string): boolean {
  // Noor-ul-Huda and Noorulhuda.
  if (foldWords(one).join('') === foldWords(other).join('')) return true;
  const [shorter = [], longer = []] = [withoutTitles(one), withoutTitles(other)].sort(
    (a, b) => a.length - b.length,
  );
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

/** Whether two names have no word in common. */
function isUnlikeName(one: string, other: string): boolean {
  const words = withoutTitles(other);
  return !withoutTitles(one).some((word) =>
    words.some((candidate) => candidate === word || isMisspelt(word, candidate)),
  );
}

const isInitial = (one: string, other: string) =>
  (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other));

/**
 * Whether a letter was left out, added or taken for another inside a word. At its beginning and end a letter makes another name:
 * Sara and Zara, Salma and Salman.
 */
function isMisspelt(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < MIN_MISSPELT_LENGTH) return false;
  if (one[0] !== other[0] || one.at(-1) !== other.at(-1)) return false;
  const [shorter = '', longer = ''] = [one, other].sort((a, b) => a.length - b.length);
  if (longer.length - shorter.length > 1) return false;
  let same = 0;
  while (same < shorter.length && shorter[same] === longer[same]) same += 1;
  const rest = longer.slice(same + 1);
  return shorter.slice(longer.length === shorter.length ? same + 1 : same) === rest;
}

interface Person {
  first_name: string;
  last_name: string;
  dob: string;
}

const fullName = ({ first_name, last_name }: Person) => `${first_name} ${last_name}`;

/**
 * Whether new values of a student's record name somebody else than it does: another name and another date of birth, or, where no date
 * is given, a name without a common word. A corrected spelling, another last name and another date alone do not.
 */
export function isOtherPerson(before: Person, after: Omit<Person, 'dob'> & { dob: string | null }): boolean {
  const [was, is] = [fullName(before), fullName({ ...after, dob: '' })];
  if (isSameName(was, is)) return false;
  return after.dob === null ? isUnlikeName(was, is) : after.dob !== before.dob;
}
