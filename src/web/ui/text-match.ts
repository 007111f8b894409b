import { folded } from '../../domain/search-text.ts';

/** The words of a query, folded; every one of them has to be found. */
export const searchTerms = (query: string) => folded(query).split(/\s+/).filter(Boolean);

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** `words`: a term is the beginning of a word, as the server searches students; else it may be any stretch. */
export type MatchAt = 'words' | 'anywhere';

/** The text cut into stretches that match a term and stretches that don't, to mark the former. */
export function matchedParts(text: string, terms: readonly string[], at: MatchAt = 'anywhere'): TextPart[] {
  const { plain, origins } = foldWithOrigins(text);
  const hit = new Array<boolean>(text.length).fill(false);
  const find = at === 'words' ? wordsBeginningWith : stretchesOf;
  for (const term of terms) {
    for (const [start, end] of find(plain, term)) {
      hit.fill(true, origins[start] ?? 0, origins[end] ?? text.length);
    }
  }
  const parts: TextPart[] = [];
  for (const [i, isMatch] of hit.entries()) {
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += text[i];
    else parts.push({ text: text.charAt(i), isMatch });
  }
  return parts;
}

type Stretch = readonly [start: number, end: number];

function stretchesOf(plain: string, term: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = plain.indexOf(term); at !== -1; at = plain.indexOf(term, at + 1)) {
    found.push([at, at + term.length]);
  }
  return found;
}

const APOSTROPHE = /['’ʼ`]/;
const IN_WORD = /[\p{L}\p{N}]/u;

/** Apostrophes are no letters of a word, and the groups of a phone number may be typed as one. */
function wordsBeginningWith(plain: string, term: string): Stretch[] {
  const found: Stretch[] = [];
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

/** Folding can change a text's length; `origins` says for each folded unit where it came from. */
function foldWithOrigins(text: string) {
  let plain = '';
  const origins: number[] = [];
  let at = 0;
  for (const char of text) {
    const fold = folded(char);
    plain += fold;
    for (let i = 0; i < fold.length; i += 1) origins.push(at);
    at += char.length;
  }
  return { plain, origins };
}
