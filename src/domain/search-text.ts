/* Normalizes names, IDs and phone numbers into words, so that a search finds them in any spelling or grouping. */

import { foldSpelling, startedSpellings } from './names/name-spellings.ts';
import { DEPARTMENT_CODES, SYNDICATES } from './student.ts';

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN: Record<string, string> = {
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

/**
 * Letters that Arabic and Urdu keyboards write differently, each with its other forms. NFKD has already separated
 * hamza and madda from their letters.
 */
const ARABIC_FORMS: Readonly<Record<string, string>> = { ا: 'ٱٲٳ', ک: 'كڪ', ہ: 'هھەةۃ', ی: 'يىې' };
for (const [letter, forms] of Object.entries(ARABIC_FORMS)) for (const form of forms) PLAIN[form] = letter;
/** The digits of Arabic and of Urdu. */
for (const digits of ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'])
  for (const [i, digit] of [...digits].entries()) PLAIN[digit] = String(i);

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** Most texts, of which nothing but the case is folded. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * Text without case and diacritics, so that `zoe` finds `Zoë`, and in one form of each Arabic letter. Drops what is not seen or
 * only stretches the script: soft hyphens, zero-width characters, joiners, direction marks, tatweel.
 */
export const foldText = (text: string) =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        // Before lower case: it turns characters such as ㎐ into letters, some of them capitals.
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\u0640]/gu, '')
        .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);

/** The words of a text, folded: `Noor-ul-Huda O'Neil` is `noor`, `ul`, `huda`, `oneil`. */
export const foldWords = (text: string): string[] =>
  foldText(text)
    .replace(/['’ʼ`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** The words of a name, folded, each in one of the spellings that offices have for it: `Mohd. Yousaf` is `muhammad`, `yusuf`. */
export const nameWords = (name: string): string[] => foldWords(name).map(foldSpelling);

/** Longer words and phrases are cut off in the index and in searches. */
const MAX_PHRASE_LENGTH = 48;
/** Longest sort key: short enough for an index and for a cursor in a URL. */
const MAX_KEY_LENGTH = 100;
/** Further words of a query are ignored. */
const MAX_QUERY_WORDS = 8;

/** The first characters of a text. Does not split a surrogate pair. */
const beginning = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export interface SearchableStudent {
  id: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  father_name: string | null;
  father_phone: string | null;
  /** Registration numbers of before. */
  former_ids?: readonly string[];
}

/** Marks a number written backwards, so that its end can be searched as a beginning. No word of a query has it. */
const BACKWARDS = '<';
/** Marks such a number in the term index where it is a phone number, so that the end of an ID is found before it. */
const PHONE_BACKWARDS = '>';
/** Marks what is found last in the term index: the words of all lines but the name. */
const LAST = '~';
/** Separates the words of a line that are searched as a phrase from those that are searched alone. */
const ALONE = '|';
/** With fewer digits than this, a number is searched by its beginning only. */
const MIN_END_LENGTH = 3;
/** With fewer digits than this, `92` is not read as the code of the country. */
const MIN_LENGTH_WITH_COUNTRY = 5;

const backwards = (digits: string) =>
  beginning(BACKWARDS + [...digits].reverse().join(''), MAX_PHRASE_LENGTH);

/** `+92 (0)300` as `0300`, also as far as it is typed. */
const withoutCountry = (text: string) =>
  text.replace(/\+\s*92[^\p{L}\p{N}]*(?:0[^\p{L}\p{N}]*(?=\d|$))?/gu, '0');

/** The digits of each number in a text, whatever separates them: `0300 555-0123` is `03005550123`. */
const findNumbers = (text: string): string[] =>
  [...foldText(text).matchAll(/\d+(?:[^\p{L}\p{N}]+\d+)*/gu)].map(([digits]) => digits.replace(/\D/g, ''));

/** A whole phone number with the country's code as within the country, which has 9 or 10 digits after the 0. */
export const toNational = (digits: string) => digits.replace(/^(?:00)?92(?=\d{9,10}$)/, '0');

function searchLine(words: readonly string[], alone: readonly string[] = []): string {
  const spaced = (some: Iterable<string>) => [...some].map((word) => ` ${word}`).join('');
  const others = new Set(alone.filter((word) => !words.includes(word)));
  return spaced(words) + (others.size === 0 ? '' : ALONE + spaced(others));
}

const withEnds = (numbers: readonly string[]) =>
  numbers.flatMap((number) => (number.length > MIN_END_LENGTH ? [number, backwards(number)] : [number]));

const idLine = (id: string) => searchLine(nameWords(id), withEnds(findNumbers(id)));

function phoneLine(phone: string | null): string {
  const text = withoutCountry(foldText(phone ?? ''));
  return searchLine([], [...nameWords(text), ...withEnds(findNumbers(text).map(toNational))]);
}

/**
 * The searchable text of a student, folded, names in one spelling: one line each for ID, name, father's name, the phone numbers
 * and each former ID, with a space before each word. Numbers are included whole, and backwards too.
 */
export function searchText(student: SearchableStudent): string {
  const { id, first_name, last_name, phone_number, father_name, father_phone, former_ids = [] } = student;
  return [
    idLine(id),
    searchLine(nameWords(`${first_name} ${last_name}`)),
    searchLine(nameWords(father_name ?? '')),
    phoneLine(phone_number),
    phoneLine(father_phone),
    ...former_ids.map(idLine),
  ].join('\n');
}

/** The lines of {@link searchText}. */
const NAME_LINE = 1;
const PHONE_LINES = [3, 4];

/**
 * The entries of a student in the term index: every rotation of the words of each line, so that both `ali hunzai` and
 * `hunzai ali` are a prefix of one entry, and each number by itself. Those of the name and the ends of numbers come first, see
 * {@link termForms}.
 *
 * @param text from {@link searchText}
 */
export const searchTerms = (text: string): string[] => [
  ...new Set(text.split('\n').flatMap((line, i) => lineTerms(line, i))),
];

/** The entries of {@link searchTerms} that begin with one of {@link termForms} or {@link phraseForms}. */
export function termsWith(text: string, form: string): string[] {
  const [first = ''] = form.replace(LAST, '').replace(PHONE_BACKWARDS, BACKWARDS).split(' ');
  const start = ` ${first}`;
  // Few lines of few students have the word, and taking a line apart costs more than this test.
  if (!text.includes(start)) return [];
  const terms = text.split('\n').flatMap((line, i) => (line.includes(start) ? lineTerms(line, i) : []));
  return [...new Set(terms)].filter((term) => term.startsWith(form));
}

function lineTerms(line: string, i: number): string[] {
  const terms: string[] = [];
  const [phrase = '', alone = ''] = line.split(ALONE);
  const mark = i === NAME_LINE ? '' : LAST;
  const words = phrase.trim();
  const repeated = `${words} ${words}`;
  let index = 0;
  for (const { length } of words.split(' ')) {
    if (length > 0)
      terms.push(mark + beginning(repeated.slice(index, index + words.length), MAX_PHRASE_LENGTH));
    index += length + 1;
  }
  for (const word of alone.split(' ')) {
    if (word === '') continue;
    const isEnd = word.startsWith(BACKWARDS);
    const term = isEnd && PHONE_LINES.includes(i) ? PHONE_BACKWARDS + word.slice(1) : word;
    terms.push((isEnd ? '' : mark) + beginning(term, MAX_PHRASE_LENGTH));
  }
  return terms;
}

/**
 * The words of a query, see {@link wordForms}. Groups of digits next to each other are one number. With no words nothing
 * matches.
 */
export function queryWords(query: string): string[] {
  const words: string[] = [];
  let isAfterNumber = false;
  for (const word of foldWords(withoutCountry(foldText(query)))) {
    if (isNumber(word) && isAfterNumber) words.push(`${words.pop() ?? ''}${word}`);
    else words.push(word);
    isAfterNumber = isNumber(word);
  }
  return [...new Set(words)].slice(0, MAX_QUERY_WORDS).map((word) => beginning(word, MAX_PHRASE_LENGTH));
}

/** A class, or all of its syndicates: `CE-45-C`, `CE-45`. */
export interface SearchedClass {
  department: (typeof DEPARTMENT_CODES)[number];
  degree: string;
  syn: (typeof SYNDICATES)[number] | undefined;
}

/** With a hyphen or a dash. No degree begins with 0, as the last part of an ID may; one of an evening class ends with a letter. */
const CLASS = /(?<=^|\s)([a-z]+)[-\u2010-\u2015]([1-9]\d{0,3}[a-z]?)(?:[-\u2010-\u2015]([a-z]))?(?=\s|$)/;

/** The class that a query names, and the words of the rest. */
export function readQuery(query: string): { words: string[]; ofClass: SearchedClass | undefined } {
  const text = foldText(query);
  const [named = '', ofDepartment, degree = '', syndicate] = CLASS.exec(text) ?? [];
  const department = DEPARTMENT_CODES.find((code) => code.toLowerCase() === ofDepartment);
  const syn = SYNDICATES.find((code) => code.toLowerCase() === syndicate);
  if (department === undefined || (syndicate !== undefined && syn === undefined))
    return { words: queryWords(query), ofClass: undefined };
  return {
    words: queryWords(text.replace(named, ' ')),
    ofClass: { department, degree: degree.toUpperCase(), syn },
  };
}

/**
 * The forms of a word of a query, one of which has to be the beginning of a word in {@link searchText}. A name is looked for in
 * one spelling; a number at the end of others, too, and without the code of the country.
 */
export function wordForms(word: string): string[] {
  if (!isNumber(word)) return startedSpellings(word);
  return [...numberForms(word), ...(word.length < MIN_END_LENGTH ? [] : [backwards(word)])];
}

const isNumber = (word: string) => /^\d+$/.test(word);

/** A number as it is, and without the code of the country. */
function numberForms(word: string): string[] {
  const national = word.length < MIN_LENGTH_WITH_COUNTRY ? word : word.replace(/^(?:00)?92/, '0');
  return national === word ? [word] : [word, national];
}

/**
 * Beginnings of the entries of the term index that are found by a word, the best first: the end of an ID, a name, the end of a
 * phone number, and the rest.
 */
export function termForms(word: string): string[] {
  const forms = isNumber(word) ? numberForms(word) : startedSpellings(word);
  const end = isNumber(word) && word.length >= MIN_END_LENGTH ? backwards(word).slice(1) : undefined;
  const ends = (mark: string) => (end === undefined ? [] : [mark + end]);
  return [...ends(BACKWARDS), ...forms, ...ends(PHONE_BACKWARDS), ...forms.map((form) => LAST + form)];
}

/**
 * Beginnings of the entries that have the words of a query next to each other, in each rotation: first those of a name, then
 * of other lines. The last word of each may be the beginning of another.
 */
export function phraseForms(words: readonly string[]): string[] {
  if (words.length < 2) return [];
  const phrases = words.flatMap((_, i) => {
    const [last = '', ...before] = [...words.slice(i), ...words.slice(0, i)].toReversed();
    const whole = before.toReversed().map(foldSpelling);
    return (isNumber(last) ? [last] : startedSpellings(last)).map((form) => [...whole, form].join(' '));
  });
  return [...phrases, ...phrases.map((phrase) => LAST + phrase)];
}

/** Whether a text from {@link searchText}, or some of its lines, has a word of a query. */
export const matchesWord = (text: string, word: string): boolean =>
  wordForms(word).some((form) => text.includes(` ${form}`));

/** A beginning of a word shorter than this has no bits of {@link wordBits}. */
const MIN_BITS_LENGTH = 3;

/** Two of the bits 0 to 30 by the first letters of a word; none for a number or a word that is too short. */
function toBits(word: string): number {
  if (word.length < MIN_BITS_LENGTH || /^<?\d*$/.test(word)) return 0;
  let hash = 0;
  for (let i = 0; i < MIN_BITS_LENGTH; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0;
  return (1 << (hash % 31)) | (1 << (Math.floor(hash / 31) % 31));
}

/**
 * Bits of the words of a query. A text that has each of them has all of these bits in its {@link textBits}; one that has not may
 * have them too. So an index that has the bits rules most students out without reading their text.
 */
export const wordBits = (words: readonly string[]): number =>
  words.reduce((bits, word) => bits | wordForms(word).reduce((common, form) => common & toBits(form), -1), 0);

/** The bits of the words of a text from {@link searchText}. */
export const textBits = (text: string): number =>
  text.split(/[\s|]+/).reduce((bits, word) => bits | toBits(word), 0);

/** Key for natural order, in which `99` comes before `100`: each number is preceded by its length. Compared byte by byte. */
export const naturalSortKey = (text: string): string =>
  nameSortKey(text).replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, '');
    return String(plain.length).padStart(2, '0') + plain;
  });

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Rows in the order of their registration numbers, as the list of students has them: 1, 2, 9, 10, 100. Numbers that differ
 * only in leading zeros or case are ordered as texts.
 */
export function inIdOrder<Row>(rows: readonly Row[], getId: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, id: getId(row), key: naturalSortKey(getId(row)) }))
    .sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.id, b.id))
    .map(({ row }) => row);
}

/** Key for the order of names: folded text, compared byte by byte. */
export const nameSortKey = (text: string): string => beginning(foldText(text).trim(), MAX_KEY_LENGTH);
