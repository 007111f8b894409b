import { type CellValue, type Cell as CellWithFormat, formatValue, readXlsx, type Sheet } from 'hucre';
import { formatCount } from '../../domain/format-count.ts';
import { keepNeededParts, MissingSheet, UnreadableWorkbook } from './archive.ts';

/** What is read of a workbook: the names of its sheets and the cells of one of them. */
export interface WorkbookSheet {
  /** The sheets that are not hidden, in the order of the workbook. */
  names: string[];
  /** The sheet that was read. */
  name: string;
  /** From the first row of the sheet on; null for blank cells. */
  rows: (SheetCell | null)[][];
  /** Positions in `rows` of those that the workbook hides, as a filter does. */
  hidden: ReadonlySet<number>;
  /** Whether the workbook counts days from 1904 on, not from 1900. */
  is1904: boolean;
}

export interface SheetCell {
  /**
   * As the sheet shows it, but a plain number with all its digits. In scientific notation where the number has more digits than
   * a number cell can hold.
   */
  text: string;
  /** The text is a formula whose value no program has stored. */
  isUncomputed?: true;
  /** `YYYY-MM-DD`, if the cell is formatted as a date. */
  date?: string;
}

const MAX_ROWS = 100_000;
/** Formats that at most round a number and group its digits, such as `0.00` and `#,##0_);(#,##0)`. */
const PLAIN_FORMAT = /^(?:general|[#0?.,;_()\s-]*)$/i;
/** Digits alone, such as `00000` and `0000-0000000`: all of them are shown, with zeros in front. */
const LEADING_ZEROS = /^0+(?:[- ]0+)*$/;
const NUMBER_DIGITS = 15;

interface SheetChoice {
  /** The name of the sheet; without it, the first one that is not hidden and has rows. */
  name?: string | undefined;
  /** How many rows a sheet must have to be taken without being named. */
  minRows?: number;
}

/**
 * Reads one sheet of a workbook in the XLSX format.
 *
 * @throws UnreadableWorkbook
 */
export async function readSheet(
  archive: Uint8Array,
  { name: wanted, minRows = 1 }: SheetChoice = {},
): Promise<WorkbookSheet> {
  const parts = keepNeededParts(archive);
  const names: string[] = [];
  const first = await readOne(parts, (name) => {
    names.push(name);
    return wanted === undefined ? names.length === 1 : name === wanted;
  });
  if (first === undefined) {
    throw wanted === undefined ? new UnreadableWorkbook('has no sheet.') : noSuchSheet(wanted, names);
  }
  let chosen = first;
  for (const name of wanted === undefined ? names.slice(1) : []) {
    if (countRows(chosen.sheet) >= minRows) break;
    const next = await readOne(parts, (other) => other === name);
    if (next !== undefined && countRows(next.sheet) >= minRows) chosen = next;
  }
  const { sheet, is1904 } = chosen;
  if (sheet.rows.length > MAX_ROWS) {
    throw new UnreadableWorkbook(`must have at most ${formatCount(MAX_ROWS)} rows.`);
  }
  const rows = sheet.rows.map((values, row) =>
    values.map((value, column) => toCell(value, sheet.cells?.get(`${row},${column}`), is1904)),
  );
  const hidden = new Set([...(sheet.rowDefs ?? [])].flatMap(([at, row]) => (row.hidden === true ? at : [])));
  return { names, name: sheet.name, rows, hidden, is1904 };
}

/** The sheet that is not hidden and wanted; undefined if there is none. `isWanted` is asked for each that is not hidden. */
async function readOne(
  parts: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<{ sheet: Sheet; is1904: boolean } | undefined> {
  const { sheets, dateSystem } = await readXlsx(parts, {
    readStyles: true,
    maxRows: MAX_ROWS + 1,
    sheets: ({ name, hidden, veryHidden }) => !hidden && !veryHidden && isWanted(name),
  }).catch((error: unknown) => {
    throw new UnreadableWorkbook('must be a workbook in the XLSX format, without a password.', {
      cause: error,
    });
  });
  const [sheet] = sheets;
  return sheet && { sheet, is1904: dateSystem === '1904' };
}

/** Rows that are not blank. */
const countRows = ({ rows }: Sheet) =>
  rows.filter((row) => row.some((value) => value !== null && String(value).trim() !== '')).length;

const noSuchSheet = (wanted: string, names: readonly string[]) =>
  new MissingSheet(
    `has no sheet “${wanted}”. ${names.length === 0 ? 'It has none.' : `Its sheets are: ${names.map((name) => `“${name}”`).join(', ')}.`}`,
  );

function toCell(value: CellValue, cell: CellWithFormat | undefined, is1904: boolean): SheetCell | null {
  const format = cell?.style?.numFmt ?? 'General';
  // A formula that no program has computed yet: blank would hide it.
  if (value === null) {
    return cell?.formula === undefined ? null : { text: `=${cell.formula}`, isUncomputed: true };
  }
  if (value instanceof Date) {
    return { text: formatValue(value, format, { is1904 }), date: value.toISOString().slice(0, 10) };
  }
  if (typeof value === 'number') return { text: numberText(value, format, is1904) };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE' };
  return value === '' ? null : { text: value };
}

/** The number itself, since rounding for display would change a mark; but 85% and 00123 as they are shown. */
function numberText(value: number, format: string, is1904: boolean): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  if (LEADING_ZEROS.test(format) && Number.isSafeInteger(value) && value >= 0) {
    return fillDigits(String(value), format);
  }
  if (PLAIN_FORMAT.test(format)) {
    return Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(NUMBER_DIGITS)));
  }
  return formatValue(value, format, { is1904 });
}

/** The digits in the places of the zeros, from the last one on; those that are left over stand in front. */
function fillDigits(digits: string, format: string): string {
  const left = [...digits];
  const filled = [...format].reverse().map((place) => (place === '0' ? (left.pop() ?? '0') : place));
  return left.join('') + filled.reverse().join('');
}
