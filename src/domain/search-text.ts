/* Normalizes names, IDs and phone numbers into words, so that a search finds them in any spelling. */

/** Letters that Unicode does not decompose into a plain letter and a mark. */
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

/** Text without case and diacritics, so that `zoe` finds `Zoë`. */
export const foldText = (text: string) =>
  text
    // Before lower case: it turns characters such as ㎐ into letters, some of them capitals.
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðþłıς]/g, (letter) => PLAIN[letter] ?? letter);

/** The words of a text, folded: `Noor-ul-Huda O'Neil` is `noor`, `ul`, `huda`, `oneil`. */
export const foldWords = (text: string): string[] =>
  foldText(text)
    .replace(/['’ʼ`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Longer words and phrases are cut off in the index and in searches. */
const MAX_PHRASE_LENGTH = 48;
/** Longest sort key: short enough for an index and for a cursor in a URL. */
const MAX_KEY_LENGTH = 100;
/** Further words of a query are ignored. */
const MAX_QUERY_WORDS = 8;

/** The first characters of a text. Does not split a surrogate pair. */
const beginning = (text: string, length: number) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export interface SearchableStudent {
  id: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  father_name: string | null;
  father_phone: string | null;
}

/**
 * The searchable text of a student, folded: one line each for ID, name, father's name and the phone numbers, with a space
 * before each word. A phone number is included as its groups and as one word.
 */
export function searchText({
  id,
  first_name,
  last_name,
  phone_number,
  father_name,
  father_phone,
}: SearchableStudent): string {
  const lines = [
    foldWords(id),
    foldWords(`${first_name} ${last_name}`),
    foldWords(father_name ?? ''),
    ...[phone_number, father_phone].map((phone) => {
      const groups = foldWords(phone ?? '');
      return groups.length > 1 ? [...groups, groups.join('')] : groups;
    }),
  ];
  return lines.map((words) => words.map((word) => ` ${word}`).join('')).join('\n');
}

/**
 * The entries of a student in the term index: every rotation of the words of each line, so that both `ali hunzai` and
 * `hunzai ali` are a prefix of one entry.
 *
 * @param text from {@link searchText}
 */
export function searchTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const line of text.split('\n')) {
    const words = line.trim();
    const repeated = `${words} ${words}`;
    for (const { index } of words.matchAll(/\S+/g)) {
      terms.add(beginning(repeated.slice(index, index + words.length), MAX_PHRASE_LENGTH));
    }
  }
  return [...terms];
}

/** The words of a query. Each has to be the beginning of a word in {@link searchText}; with no words nothing matches. */
export const queryWords = (query: string): string[] =>
  [...new Set(foldWords(query))].slice(0, MAX_QUERY_WORDS).map((word) => beginning(word, MAX_PHRASE_LENGTH));

/** Key for natural order, in which `99` comes before `100`: each number is preceded by its length. Compared byte by byte. */
export const naturalSortKey = (text: string): string =>
  nameSortKey(text).replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, '');
    return String(plain.length).padStart(2, '0') + plain;
  });

/** Key for the order of names: folded text, compared byte by byte. */
export const nameSortKey = (text: string): string => beginning(foldText(text).trim(), MAX_KEY_LENGTH);
