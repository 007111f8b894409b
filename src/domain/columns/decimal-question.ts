import { isAbsence, isWord } from './cells.ts';

/** Lines that are looked at: a question needs no more. */
const MAX_LINES = 2_000;
/** No heading and no mark is longer. */
const MAX_LINE_LENGTH = 1_000;
const WHOLE_NUMBER = /^\d+$/;
/** No mark begins with several digits of which the first is 0. */
const EITHER = /^\d+,(?:\d{1,2}|0\d+)$/;
const SEPARATOR_OR_QUOTE = /[,;\t|"]/;
const QUOTED = /^"([^"]*)"$/;
/** A heading that goes on after a comma: "Marks, out of 100". */
const OUT_OF = /,\s*(?:out of|max(?:imum)?\.?)\s+\d+$/i;

/**
 * Finds text in which a comma may separate two marks or be a decimal comma: below a heading of one cell, or in at least two
 * lines, where every line is one number, with a comma and one or two digits or without. Blank cells beside it do not count.
 *
 * @returns the first line with a comma, as `67,5`; undefined where it is certain what the commas are
 */
export function findDecimalQuestion(text: string): string | undefined {
  if (!text.includes(',')) return undefined;
  let first: string | undefined;
  let lines = 0;
  let isHeaded = false;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let count = 0; start < text.length && count < MAX_LINES; count += 1) {
    const end = endOfLine(text, start);
    if (end - start > MAX_LINE_LENGTH) return undefined;
    const line = withoutBlankCells(text.slice(start, end).trim());
    start = end + 1;
    if (EITHER.test(line)) {
      first ??= line;
      lines += 1;
    } else if (line !== '' && !WHOLE_NUMBER.test(line) && !isAbsence(line)) {
      // Words are headings at the start, and nothing that is known below it.
      const heading = line.replace(QUOTED, '$1').replace(OUT_OF, '');
      if (lines > 0 || SEPARATOR_OR_QUOTE.test(heading) || !isWord(heading)) return undefined;
      isHeaded = true;
    }
  }
  return lines > (isHeaded ? 0 : 1) ? first : undefined;
}

/** A line without the commas of blank cells on both sides. */
export function withoutBlankCells(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && isBlankCell(line[start])) start += 1;
  while (end > start && isBlankCell(line[end - 1])) end -= 1;
  return line.slice(start, end);
}

const isBlankCell = (character: string | undefined) => character === ',' || character === ' ';

/** At most a character more than the longest line. */
function endOfLine(text: string, start: number): number {
  const last = Math.min(text.length, start + MAX_LINE_LENGTH + 1);
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return last;
}
