import { foldText, foldWords, nameWords, toNational, wordForms } from '../../domain/search-text.ts';

/** The words of a query, folded (case and accents removed). All of them must match. */
export const searchTerms = (query: string) => foldText(query).split(/\s+/).filter(Boolean);

interface TextSegment {
  text: string;
  isMatch: boolean;
}

/** `words`: a term matches the beginning of a word or the end of a number, as in the server's search of students; else anywhere. */
export type MatchMode = 'words' | 'anywhere';

/** Splits a text into parts that match a term and parts that don't. */
export function splitByMatch(
  text: string,
  terms: readonly string[],
  at: MatchMode = 'anywhere',
): TextSegment[] {
  const { plain, origins } = foldWithOrigins(text);
  const hit = new Array<boolean>(text.length).fill(false);
  const find = at === 'words' ? findWords : findRanges;
  for (const term of terms) {
    for (const [start, end] of find(plain, term)) {
      hit.fill(true, origins[start] ?? 0, origins[end] ?? text.length);
    }
  }
  const parts: TextSegment[] = [];
  for (const [i, isMatch] of hit.entries()) {
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += text[i];
    else parts.push({ text: text.charAt(i), isMatch });
  }
  return parts;
}

type MatchRange = readonly [start: number, end: number];

function findRanges(plain: string, term: string): MatchRange[] {
  const found: MatchRange[] = [];
  for (let at = plain.indexOf(term); at !== -1; at = plain.indexOf(term, at + 1)) {
    found.push([at, at + term.length]);
  }
  return found;
}

const APOSTROPHE = /['’ʼ`]/;
const IN_WORD = /[\p{L}\p{N}]/u;

/** Apostrophes don't separate words, and groups of a phone number may be typed as one. */
function findWordStarts(plain: string, term: string): MatchRange[] {
  const found: MatchRange[] = [];
  const isNumber = /^\d+$/.test(term);
  const isSkipped = (sign: string) => APOSTROPHE.test(sign) || (isNumber && !IN_WORD.test(sign));
  const units = [...plain.matchAll(/./gsu)].map(({ 0: sign, index }) => ({ sign, index }));
  for (const [i, { index }] of units.entries()) {
    const before = units[i - 1]?.sign ?? ' ';
    if (IN_WORD.test(before) || APOSTROPHE.test(before)) continue;
    let left = term;
    for (const { sign, index: here } of units.slice(i)) {
      if (left.startsWith(sign)) left = left.slice(sign.length);
      else if (here === index || !isSkipped(sign)) break;
      if (left === '') {
        found.push([index, here + sign.length]);
        break;
      }
    }
  }
  return found;
}

const findWords = (plain: string, term: string): MatchRange[] => [
  ...findWordStarts(plain, term),
  ...(/^\d+$/.test(term) ? findInNumbers(plain, term) : findSpellings(plain, term)),
];

/** Names that are another spelling of a term, as `Mohammad` of `muhamad`. */
function findSpellings(plain: string, term: string): MatchRange[] {
  const forms = wordForms(term);
  return [...plain.matchAll(/[\p{L}\p{N}'’ʼ`]+/gu)].flatMap(({ 0: word, index }): MatchRange[] => {
    const [own = ''] = foldWords(word);
    const [name = ''] = nameWords(word);
    const isFound = !own.startsWith(term) && forms.some((form) => name.startsWith(form));
    return isFound ? [[index, index + word.length]] : [];
  });
}

/** Matches at the end of a number, and at its beginning if only the country's code differs. */
function findInNumbers(plain: string, term: string): MatchRange[] {
  const found: MatchRange[] = [];
  const forms = wordForms(term);
  for (const { 0: text, index } of plain.matchAll(/\+?\d+(?:[^\p{L}\p{N}]+\d+)*/gu)) {
    const places = [...text.matchAll(/\d/g)].map((digit) => index + digit.index);
    const range = (from: number, to: number): MatchRange => [
      places[from] ?? index,
      (places[to - 1] ?? index) + 1,
    ];
    const digits = text.replace(/\D/g, '');
    const national = text.startsWith('+') ? digits.replace(/^920?/, '0') : toNational(digits);
    const dropped = digits.length - national.length;
    for (const form of forms) {
      if (dropped > 0 && national.startsWith(form)) found.push(range(0, form.length + dropped));
      else if (form !== term && national === digits && digits.startsWith(form))
        found.push(range(0, form.length));
      else if (form.length > term.length && national.endsWith(term))
        found.push(range(digits.length - term.length, digits.length));
    }
  }
  return found;
}

/** Folding can change the length; `origins` maps each folded code unit to its position in the text. */
function foldWithOrigins(text: string) {
  let plain = '';
  const origins: number[] = [];
  let at = 0;
  for (const char of text) {
    const fold = foldText(char);
    plain += fold;
    for (let i = 0; i < fold.length; i += 1) origins.push(at);
    at += char.length;
  }
  return { plain, origins };
}
