import { CELL_SEPARATORS, CellScanner, type CellSeparator } from '../../../domain/columns/csv-cells.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { byteOrderMark, decodeText, type UnicodeEncoding } from '../../decode-text.ts';
import { UnreadableImport } from './import-file.ts';

/** A row of a file with all its cells; blank rows are left out. */
export interface RawRow<Cell = string> {
  /** The line of the text on which it begins, from 1; of a sheet, the number of the row. */
  line: number;
  cells: Cell[];
}

/** Rows that are looked at to find the separator. */
const SAMPLE_ROWS = 1000;

/**
 * The separator that gives most rows the number of cells of the heading, outside quotes; of several that do, the one with most
 * cells. A comma for a file with one column.
 *
 * @param findHeading position of the row with the headings among the first rows
 */
export function findSeparator(text: string, findHeading: (rows: readonly RawRow[]) => number): CellSeparator {
  let best: { separator: CellSeparator; rows: number; cells: number } = { separator: ',', rows: 0, cells: 1 };
  for (const separator of CELL_SEPARATORS) {
    const sample = sampleRows(text, separator);
    const heading = findHeading(sample);
    const cells = sample[heading]?.cells.length ?? 0;
    if (cells < 2) continue;
    const rows = sample.slice(heading).filter((row) => row.cells.length === cells).length;
    if (rows > best.rows || (rows === best.rows && cells > best.cells)) best = { separator, rows, cells };
  }
  return best.separator;
}

function sampleRows(text: string, separator: CellSeparator): RawRow[] {
  const rows: RawRow[] = [];
  for (const row of scanRows(text, separator)) if (rows.push(row) === SAMPLE_ROWS) break;
  return rows;
}

/**
 * The rows of a delimited text.
 *
 * @throws UnreadableImport where a quotation mark is not closed
 */
export function* delimitedRows(text: string, separator: CellSeparator): Generator<RawRow> {
  for (const { isUnclosed, ...row } of scanRows(text, separator)) {
    if (isUnclosed) throw unclosedQuote(row.line);
    yield row;
  }
}

function* scanRows(text: string, separator: CellSeparator): Generator<RawRow & { isUnclosed: boolean }> {
  const scanner = new CellScanner(text, separator);
  let line = 1;
  let cells: string[] = [];
  while (scanner.next()) {
    if (cells.length === 0) line = scanner.line;
    cells.push(scanner.value);
    if (!scanner.endsLine) continue;
    if (cells.some((cell) => cell.trim() !== '')) yield { line, cells, isUnclosed: scanner.isUnclosed };
    cells = [];
  }
}

const unclosedQuote = (line: number) =>
  new UnreadableImport(
    `Line ${formatCount(line)} has a quotation mark that is not closed, so that the rest of the file can't be told apart. Close it or remove it, and choose the file again.`,
  );

export type TextEncoding = UnicodeEncoding | 'windows-1252';

/** Bytes that are looked at to tell UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4096;

/**
 * Decodes a text file. A byte order mark decides; else it is UTF-16 if every other byte is zero where the text is ASCII, UTF-8
 * if it is valid as such, and Windows-1252 otherwise.
 *
 * @throws UnreadableImport if it is no text
 */
export function decodeFile(bytes: Uint8Array): { text: string; encoding: TextEncoding } {
  const marked = byteOrderMark(bytes);
  const certain = marked ?? zeroBytes(bytes);
  if (certain !== undefined) {
    const text = decodeText(bytes, certain);
    if (text === undefined) throw brokenText(certain);
    return { text: checked(text), encoding: certain };
  }
  const text = decodeText(bytes, 'utf-8');
  if (text !== undefined) return { text: checked(text), encoding: 'utf-8' };
  return { text: checked(decodeWindows1252(bytes)), encoding: 'windows-1252' };
}

/** The characters of the bytes 0x80 to 0x9F; the others are those of Latin-1. Bytes without a character stay as they are. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The TextDecoder of some versions of Node.js takes Windows-1252 for Latin-1. */
const decodeWindows1252 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character);

/** UTF-16 without a byte order mark: no other text has zero bytes. */
function zeroBytes(bytes: Uint8Array): UnicodeEncoding | undefined {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const isMany = (zeros: number, others: number) => zeros > sample.length / 8 && others < zeros / 8;
  const even = sample.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = sample.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (isMany(odd, even)) return 'utf-16le';
  return isMany(even, odd) ? 'utf-16be' : undefined;
}

function checked(text: string): string {
  if (!text.includes('\0')) return text;
  throw new UnreadableImport(
    'The file is neither text nor a workbook. Save it as CSV or as an Excel workbook (.xlsx), and choose that file.',
  );
}

const brokenText = (encoding: TextEncoding) =>
  new UnreadableImport(
    `The file is damaged: it says that it is ${encoding.toUpperCase()} text, but has bytes that can't be read as that. Save it again as CSV UTF-8 or as an Excel workbook (.xlsx).`,
  );
