import { CELL_SEPARATORS, CellScanner, type CellSeparator } from '../../../domain/csv-cells.ts';
import { UnreadableImport } from './import-file.ts';

/** A row of a file with all its cells; blank rows are left out. */
export interface RawRow<Cell = string> {
  /** From 1; blank rows count. */
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
    cells.push(scanner.value);
    if (!scanner.endsLine) continue;
    if (cells.some((cell) => cell.trim() !== '')) yield { line, cells, isUnclosed: scanner.isUnclosed };
    line += 1;
    cells = [];
  }
}

const unclosedQuote = (line: number) =>
  new UnreadableImport(
    `Row ${line.toLocaleString('en')} has a quotation mark that is not closed, so that the rest of the file can't be told apart. Close it or remove it, and choose the file again.`,
  );
