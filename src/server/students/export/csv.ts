import { COLUMNS, type StudentPages } from './columns.ts';

/** By this Excel knows that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet takes for the beginning of a formula, in the forms of either width. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Beside what RFC 4180 names, what readers take for a separator or cut off. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * One line of RFC 4180 with its end. A text that a spreadsheet would take for a formula is led by an apostrophe; numbers
 * are as they are.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const harmless = BEGINS_FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The list as CSV, a piece for each page. */
export async function* csvOf(pages: StudentPages, { bom = false } = {}): AsyncGenerator<string> {
  // Goes out with the first page, so that a list that can't be read at all is refused, not begun.
  let before = (bom ? BYTE_ORDER_MARK : '') + csvLine(COLUMNS.map(({ title }) => title));
  for await (const page of pages) {
    yield before + page.map((student) => csvLine(COLUMNS.map(({ of }) => of(student)))).join('');
    before = '';
  }
  if (before !== '') yield before;
}
