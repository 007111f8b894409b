import type { CsvSeparator } from '../../../contract/students/export.ts';
import type { CellValue, Table } from './columns.ts';

/** Excel reads a CSV as UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF';

const SEPARATORS: Record<CsvSeparator, string> = { comma: ',', semicolon: ';' };

/** Characters that begin a formula in a spreadsheet, including their full-width forms. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** More than RFC 4180 asks for: every separator that readers guess, and spaces that they trim. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** One line of RFC 4180 with its line end. Text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvLine(cells: readonly CellValue[], separator: CsvSeparator = 'comma'): string {
  return `${cells.map(csvCell).join(SEPARATORS[separator])}\r\n`;
}

function csvCell(cell: CellValue): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = BEGINS_FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV, one chunk per page. */
export async function* toCsv<Row>(
  { columns, pages }: Table<Row>,
  { bom, separator }: { bom: boolean; separator: CsvSeparator },
): AsyncGenerator<string> {
  const line = (cells: readonly CellValue[]) => csvLine(cells, separator);
  // Sent with the first page, so that an error while reading it is answered as an error, not as a broken file.
  let head = (bom ? BYTE_ORDER_MARK : '') + line(columns.map(({ title }) => title));
  for await (const page of pages) {
    yield head + page.map((row) => line(columns.map(({ value }) => value(row)))).join('');
    head = '';
  }
  if (head !== '') yield head;
}
