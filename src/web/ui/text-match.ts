import { folded } from '../../domain/search-text.ts';

/** The words of a query, folded; every one of them has to be found. */
export const searchTerms = (query: string) => folded(query).split(/\s+/).filter(Boolean);

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** The text cut into stretches that match a term and stretches that don't, to mark the former. */
export function matchedParts(text: string, terms: readonly string[]): TextPart[] {
  const { plain, origins } = foldWithOrigins(text);
  const hit = new Array<boolean>(text.length).fill(false);
  for (const term of terms) {
    for (let at = plain.indexOf(term); at !== -1; at = plain.indexOf(term, at + 1)) {
      const end = origins[at + term.length] ?? text.length;
      hit.fill(true, origins[at] ?? 0, end);
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
