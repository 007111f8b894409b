/** How people, IDs and phone numbers are folded into words, so that a search finds them however they are typed. */

/** Letters that have no mark to take off and yet stand for plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};

/** Text as it is compared: without case and without marks above or below letters, so that `zoe` finds `Zoë`. */
export const folded = (text: string) =>
  text
    // First, since it turns signs such as ㎐ into plain letters, capitals among them.
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðþłıς]/g, (letter) => PLAIN[letter] ?? letter);

/** The words of a text, folded: `Noor-ul-Huda O'Neil` is `noor`, `ul`, `huda`, `oneil`. */
export const foldedWords = (text: string): string[] =>
  folded(text)
    .replace(/['’ʼ`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Longest word and phrase that is told apart from others; what is longer goes by its beginning. */
const PHRASE_LENGTH = 48;
/** Longest key of an order: short enough for an index, and for the address that names where a page ended. */
const KEY_LENGTH = 100;
/** Words of a query that are looked at. */
const WORDS_ASKED = 8;

/** As much of a text, without half of a letter that takes two places. */
const beginning = (text: string, length: number) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export interface Findable {
  id: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  father_name: string | null;
  father_phone: string | null;
}

/**
 * All that a student is found by, folded: a line each for ID, name, father's name and phone numbers, a blank before
 * each word. A phone number is there as its groups and as one word, since either may be typed.
 */
export function searchText({
  id,
  first_name,
  last_name,
  phone_number,
  father_name,
  father_phone,
}: Findable): string {
  const lines = [
    foldedWords(id),
    foldedWords(`${first_name} ${last_name}`),
    foldedWords(father_name ?? ''),
    ...[phone_number, father_phone].map((phone) => {
      const groups = foldedWords(phone ?? '');
      return groups.length > 1 ? [...groups, groups.join('')] : groups;
    }),
  ];
  return lines.map((words) => words.map((word) => ` ${word}`).join('')).join('\n');
}

/**
 * What a search can begin with: every word with the words of its line that follow it, going round, so that
 * `ali hunzai` and `hunzai ali` are both one stretch of the index.
 *
 * @param text as {@link searchText} gives it
 */
export function searchTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const line of text.split('\n')) {
    const words = line.trim();
    const round = `${words} ${words}`;
    for (const { index } of words.matchAll(/\S+/g)) {
      terms.add(beginning(round.slice(index, index + words.length), PHRASE_LENGTH));
    }
  }
  return [...terms];
}

/** The words that all have to be found, each as the beginning of a word of {@link searchText}; none: no search. */
export const askedWords = (query: string): string[] =>
  [...new Set(foldedWords(query))].slice(0, WORDS_ASKED).map((word) => beginning(word, PHRASE_LENGTH));

/**
 * A text's key for an order in which `99` comes before `100`: each stretch of digits is led by how long it is.
 * Compared byte by byte.
 */
export const naturalKey = (text: string): string =>
  foldedKey(text).replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, '');
    return String(plain.length).padStart(2, '0') + plain;
  });

/** A text's key for the order of names: folded, compared byte by byte. */
export const foldedKey = (text: string): string => beginning(folded(text).trim(), KEY_LENGTH);
