import { type CellValue, type Cell as CellWithFormat, formatValue, readXlsx } from 'hucre';
import { formatCount } from '../../domain/format-count.ts';
import { keepNeededParts, UnreadableWorkbook } from './archive.ts';

/** What is read of a workbook: the names of its sheets and the cells of one of them. */
export interface WorkbookSheet {
  /** The sheets that are not hidden, in the order of the workbook. */
  names: string[];
  /** The sheet that was read. */
  name: string;
  /** From the first row of the sheet on; null for blank cells. */
  rows: (SheetCell | null)[][];
  /** Whether the workbook counts days from 1904 on, not from 1900. */
  is1904: boolean;
}

export interface SheetCell {
  /** As the sheet shows it, but a plain number with all its digits. */
  text: string;
  /** `YYYY-MM-DD`, if the cell is formatted as a date. */
  date?: string;
}

const MAX_ROWS = 100_000;
/** Formats that at most round a number and group its digits, such as `0.00` and `#,##0_);(#,##0)`. */
const PLAIN_FORMAT = /^(?:general|[#0?.,;_()\s-]*)$/i;
const LEADING_ZEROS = /^0+$/;
const NUMBER_DIGITS = 15;

/**
 * Reads one sheet of a workbook in the XLSX format, the first one that is not hidden unless it is named.
 *
 * @throws UnreadableWorkbook
 */
export async function readSheet(archive: Uint8Array, wanted?: string): Promise<WorkbookSheet> {
  const parts = keepNeededParts(archive);
  const names: string[] = [];
  let isFound = false;
  const isWanted = (name: string) => {
    const isIt = !isFound && (wanted === undefined || name === wanted);
    isFound ||= isIt;
    return isIt;
  };
  const workbook = await readXlsx(parts, {
    readStyles: true,
    maxRows: MAX_ROWS + 1,
    sheets: ({ name, hidden, veryHidden }) => {
      if (hidden || veryHidden) return false;
      names.push(name);
      return isWanted(name);
    },
  }).catch((error: unknown) => {
    throw new UnreadableWorkbook('must be a workbook in the XLSX format, without a password.', {
      cause: error,
    });
  });
  const [sheet] = workbook.sheets;
  if (sheet === undefined) {
    throw new UnreadableWorkbook(wanted === undefined ? 'has no sheet.' : `has no sheet “${wanted}”.`);
  }
  if (sheet.rows.length > MAX_ROWS) {
    throw new UnreadableWorkbook(`must have at most ${formatCount(MAX_ROWS)} rows.`);
  }
  const is1904 = workbook.dateSystem === '1904';
  const rows = sheet.rows.map((values, row) =>
    values.map((value, column) => toCell(value, sheet.cells?.get(`${row},${column}`), is1904)),
  );
  return { names, name: sheet.name, rows, is1904 };
}

function toCell(value: CellValue, cell: CellWithFormat | undefined, is1904: boolean): SheetCell | null {
  const format = cell?.style?.numFmt ?? 'General';
  // A formula that no program has computed yet: blank would hide it.
  if (value === null) return cell?.formula === undefined ? null : { text: `=${cell.formula}` };
  if (value instanceof Date) {
    return { text: formatValue(value, format, { is1904 }), date: value.toISOString().slice(0, 10) };
  }
  if (typeof value === 'number') return { text: numberText(value, format, is1904) };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE' };
  return value === '' ? null : { text: value };
}

/** The number itself, since rounding for display would change a mark; but 85% and 00123 as they are shown. */
function numberText(value: number, format: string, is1904: boolean): string {
  if (LEADING_ZEROS.test(format) && Number.isSafeInteger(value) && value >= 0) {
    return String(value).padStart(format.length, '0');
  }
  if (PLAIN_FORMAT.test(format)) return String(Number(value.toPrecision(NUMBER_DIGITS)));
  return formatValue(value, format, { is1904 });
}
