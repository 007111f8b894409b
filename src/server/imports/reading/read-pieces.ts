import { MAX_IMPORT_ROWS } from '../../../contract/imports.ts';
import { CELL_SEPARATORS } from '../../../domain/columns/csv-cells.ts';
import { findDecimalQuestion, withoutBlankCells } from '../../../domain/columns/decimal-question.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { isArchive, MissingSheet, UnreadableWorkbook } from '../../workbook/archive.ts';
import { decodeFile, delimitedRows, findSeparator, type RawRow } from './delimited-text.ts';
import { findHeadingRow, HEADING_ROWS, requireHeadings } from './headings.ts';
import {
  type ImportCell,
  type ImportFileHead,
  type ImportFileRequest,
  type ImportRowCells,
  UnreadableImport,
} from './import-file.ts';

/** Rows per piece: as many as are cloned in a few milliseconds. */
const PIECE_ROWS = 250;
/** The columns of our own export with one for each course are fewer. */
const MAX_COLUMNS = 1_000;
/** A sheet that can be imported has headings and a row below them. */
const MIN_SHEET_ROWS = 2;
/** Non-ASCII values that are shown where the encoding is not certain. */
const MAX_ENCODING_SAMPLES = 5;

/** First what the file says about itself, then its rows. */
export type ImportPiece = ImportFileHead | ImportRowCells[];

/**
 * Reads a file piece by piece. The request does not keep it.
 *
 * @throws UnreadableImport
 */
export async function* readPieces(request: ImportFileRequest): AsyncGenerator<ImportPiece> {
  const archive = findArchive(request);
  if (archive === undefined) yield* readText(request, takeText(request));
  else yield* readWorkbook(request, archive);
}

const findArchive = ({ upload }: ImportFileRequest) =>
  'bytes' in upload && isArchive(upload.bytes) ? upload.bytes : undefined;

/** Takes the file out of the request: its bytes would be in memory beside the text until the last row is read. */
function takeText(request: ImportFileRequest): { text: string; encoding: string | null } {
  const { upload } = request;
  request.upload = { text: '' };
  if ('text' in upload) return { text: upload.text, encoding: null };
  refuseOldWorkbook(upload.bytes);
  return decodeFile(upload.bytes);
}

function* readText(
  { kind }: ImportFileRequest,
  { text, encoding }: { text: string; encoding: string | null },
): Generator<ImportPiece> {
  const decimalSample = (kind === 'marks' ? findDecimalQuestion(text) : undefined) ?? null;
  // Commas belong to the cells of a single column until it is known what they are.
  const separator =
    decimalSample === null ? findSeparator(text, (rows) => findHeadingRow(kind, rows)) : CELL_SEPARATORS[1];
  const rows = () => {
    const all = delimitedRows(text, separator);
    return decimalSample === null ? all : withoutBlankBeside(all);
  };
  const first: RawRow[] = [];
  for (const row of rows()) if (first.push(row) === HEADING_ROWS) break;
  const heading = requireHeadingRow(kind, first);
  yield {
    encoding,
    encodingSamples: encoding === 'windows-1252' ? encodingSamples(rows()) : [],
    delimiter: separator,
    sheets: [],
    sheet: null,
    hiddenLines: [],
    is1904: false,
    decimalSample,
    headingLine: heading.line,
    headings: heading.cells.map(trimHeading),
  };
  yield* inPieces(rowsBelow(heading, rows()));
}

/** Rows of one cell, without the commas of blank ones beside it. */
function* withoutBlankBeside(rows: Iterable<RawRow>): Generator<RawRow> {
  for (const { line, cells } of rows) yield { line, cells: cells.map(withoutBlankCells) };
}

/** A row with more cells than headings keeps one of them, since its cells are probably in wrong columns. */
function* rowsBelow(heading: RawRow, rows: Iterable<RawRow>): Generator<ImportRowCells> {
  for (const { line, cells } of rows) {
    if (line <= heading.line) continue;
    while (cells.length > heading.cells.length && cells.at(-1)?.trim() === '') cells.pop();
    yield { line, cells: cells.slice(0, heading.cells.length + 1).map((text) => ({ text })) };
  }
}

async function* readWorkbook(
  { kind, sheet: wanted }: ImportFileRequest,
  bytes: Uint8Array,
): AsyncGenerator<ImportPiece> {
  // Loaded only for workbooks: it takes several MiB in the worker.
  const { readSheet } = await import('../../workbook/read-sheet.ts');
  const { names, name, rows, hidden, is1904 } = await readSheet(bytes, {
    name: wanted,
    minRows: MIN_SHEET_ROWS,
  }).catch((error: unknown) => {
    if (error instanceof MissingSheet) throw new UnreadableImport(`The workbook ${error.message}`, 'sheet');
    if (error instanceof UnreadableWorkbook) throw unreadableWorkbook(error.message);
    throw error;
  });
  const filled = function* (): Generator<RawRow<ImportCell>> {
    for (const [at, row] of rows.entries()) {
      if (row.every((cell) => cell === null || cell.text.trim() === '')) continue;
      yield { line: at + 1, cells: row.map((cell) => cell ?? { text: '' }) };
    }
  };
  const first: RawRow[] = [];
  for (const { line, cells } of filled()) {
    if (first.push({ line, cells: cells.map(({ text }) => text) }) === HEADING_ROWS) break;
  }
  const heading = requireHeadingRow(kind, first);
  while (heading.cells.at(-1)?.trim() === '') heading.cells.pop();
  yield {
    encoding: null,
    encodingSamples: [],
    delimiter: null,
    sheets: names,
    sheet: name,
    hiddenLines: hiddenLines(besideHeadings(heading, filled()), hidden),
    is1904,
    decimalSample: null,
    headingLine: heading.line,
    headings: heading.cells.map(trimHeading),
  };
  yield* inPieces(besideHeadings(heading, filled()));
}

/** Cells to the right of the last heading, such as notes, belong to no column: a sheet has no separators to get wrong. */
function* besideHeadings(heading: RawRow, rows: Iterable<RawRow<ImportCell>>): Generator<ImportRowCells> {
  for (const { line, cells } of rows) {
    const own = cells.slice(0, heading.cells.length);
    if (line > heading.line && own.some(({ text }) => text.trim() !== '')) yield { line, cells: own };
  }
}

/** The stretches of rows that the sheet hides. */
function hiddenLines(
  rows: Iterable<ImportRowCells>,
  hidden: ReadonlySet<number>,
): ImportFileHead['hiddenLines'] {
  const stretches: ImportFileHead['hiddenLines'] = [];
  if (hidden.size === 0) return stretches;
  for (const { line } of rows) {
    if (!hidden.has(line - 1)) continue;
    const last = stretches.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else stretches.push([line, line]);
  }
  return stretches;
}

function requireHeadingRow(kind: ImportFileRequest['kind'], first: readonly RawRow[]): RawRow {
  const heading = first[findHeadingRow(kind, first)];
  if (heading === undefined)
    throw new UnreadableImport('The file is empty. Choose a file with headings and rows.');
  const columns = heading.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (columns > MAX_COLUMNS) throw tooManyColumns();
  // A column without a heading may have notes.
  if (heading.cells.length > MAX_COLUMNS) heading.cells.length = columns;
  requireHeadings(kind, heading.cells);
  return heading;
}

const trimHeading = (heading: string) => heading.replaceAll(/\s+/g, ' ').trim();

function* inPieces(rows: Iterable<ImportRowCells>): Generator<ImportRowCells[]> {
  let piece: ImportRowCells[] = [];
  let count = 0;
  for (const row of rows) {
    count += 1;
    if (count > MAX_IMPORT_ROWS) throw tooManyRows();
    if (piece.push(row) < PIECE_ROWS) continue;
    yield piece;
    piece = [];
  }
  if (count === 0)
    throw new UnreadableImport(
      'The file has headings, but no rows below them. Nothing can be imported from it.',
    );
  if (piece.length > 0) yield piece;
}

function encodingSamples(rows: Iterable<RawRow>): string[] {
  const samples = new Set<string>();
  for (const { cells } of rows) {
    for (const cell of cells) {
      if (!/[^\0-\x7f]/.test(cell)) continue;
      samples.add(cell.trim().slice(0, 100));
      if (samples.size === MAX_ENCODING_SAMPLES) return [...samples];
    }
  }
  return [...samples];
}

/** OLE files (MS-CFB, 2.2), which Excel wrote before 2007, and writes with a password. */
const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

function refuseOldWorkbook(bytes: Uint8Array): void {
  if (OLE_SIGNATURE.some((byte, at) => bytes[at] !== byte)) return;
  const { buffer, byteOffset, byteLength } = bytes;
  throw new UnreadableImport(
    Buffer.from(buffer, byteOffset, byteLength).includes(ENCRYPTED_PACKAGE)
      ? 'The workbook is protected with a password. Remove the password in Excel (File, Info, Protect Workbook), save it, and choose it again.'
      : 'The workbook is in the old XLS format. Open it, save it as an Excel workbook (.xlsx) or as CSV, and choose that file.',
  );
}

const unreadableWorkbook = (text: string) =>
  new UnreadableImport(
    `The file ${text} Copy the rows that you need into a new workbook, save it as .xlsx or as CSV, and choose that file.`,
  );

const tooManyRows = () =>
  new UnreadableImport(
    `The file has more than ${formatCount(MAX_IMPORT_ROWS)} rows. Divide it into several files, and import one after the other.`,
  );

const tooManyColumns = () =>
  new UnreadableImport(
    `The file has more than ${formatCount(MAX_COLUMNS)} columns. Remove those that are not to be imported.`,
  );
