import { formatValue, serialToDate } from 'hucre';
import { formatCount } from '../../domain/format-count.ts';
import { notAWorkbook, tooLarge, UnreadableWorkbook } from './archive.ts';
import { getAttribute, readXml } from './read-xml.ts';
import {
  type CellFormat,
  decodeEscapes,
  TextReader,
  toOwnText,
  type WorkbookParts,
} from './workbook-parts.ts';

export interface SheetCell {
  /**
   * The text as the sheet shows it, but a plain number with all its digits. In scientific notation where the number has more
   * digits than a number cell can hold.
   */
  text: string;
  /** The text is a formula whose value no program has stored. */
  isUncomputed?: true;
  /** `YYYY-MM-DD`, if the cell is formatted as a date. */
  date?: string;
}

const MAX_ROWS = 100_000;
/** Cells further to the right are left out. One more than any feature reads, so that it can say that there are more. */
const MAX_COLUMNS = 1_001;
/** With the blank ones beside others. */
const MAX_CELLS = 10_000_000;
/** Formats that at most round a number and group its digits, such as `0.00` and `#,##0_);(#,##0)`. */
const PLAIN_FORMAT = /^(?:general|[#0?.,;_()\s-]*)$/i;
/** Digits alone, such as `00000` and `0000-0000000`: all of them are shown, with zeros in front. */
const LEADING_ZEROS = /^0+(?:[- ]0+)*$/;
const NUMBER_DIGITS = 15;

/** The text that Excel shows of a number that is no date, in a cell that is formatted as one. */
const NO_DATE: SheetCell = { text: '#######' };
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const GENERAL: CellFormat = { code: 'General', isDate: false };

type Shared = Pick<WorkbookParts, 'texts' | 'formats' | 'is1904'>;

/**
 * Reads the rows of a sheet.
 *
 * @returns the rows from the first one of the sheet on, and the positions of those that it hides
 * @throws UnreadableWorkbook
 */
export async function readCells(
  xml: AsyncIterable<string>,
  shared: Shared,
): Promise<{ rows: (SheetCell | null)[][]; hidden: ReadonlySet<number> }> {
  const sheet = new SheetReader(shared);
  for await (const events of readXml(xml)) {
    for (const event of events) {
      if (event.kind === 'open') sheet.open(event.name, event.attributes);
      else if (event.kind === 'close') sheet.close(event.name);
      else sheet.addText(event.text);
    }
  }
  return { rows: sheet.padRows(), hidden: sheet.hidden };
}

/** A cell while it is read. */
interface OpenCell {
  column: number;
  type: string;
  format: CellFormat;
  /** Undefined where the cell has none. */
  value: string | undefined;
  formula: string | undefined;
}

class SheetReader {
  readonly #rows: (SheetCell | null)[][] = [];
  #width = 0;
  readonly hidden = new Set<number>();
  readonly #shared: Shared;
  /** The cells of the shared texts, each made once. */
  readonly #shownTexts: (SheetCell | null | undefined)[] = [];
  readonly #inline = new TextReader();
  #isInRows = false;
  #row = -1;
  #column = -1;
  #cell: OpenCell | undefined;
  #into: 'value' | 'formula' | 'inline' | undefined;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  open(name: string, attributes: string): void {
    if (name === 'sheetData') this.#isInRows = true;
    if (!this.#isInRows) return;
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (this.#cell === undefined) return;
    else if (name === 'v') this.#read('value');
    else if (name === 'f') this.#read('formula');
    else if (name === 'is') {
      this.#into = 'inline';
      this.#inline.start();
    } else if (this.#into === 'inline') this.#inline.visit(name, true);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isInRows = false;
    if (this.#cell === undefined) return;
    if (name === 'c') this.#closeCell(this.#cell);
    else if (name === 'is') {
      this.#cell.value = this.#inline.end();
      this.#into = undefined;
    } else if (this.#into === 'inline') this.#inline.visit(name, false);
    else if (name === 'v' || name === 'f') this.#into = undefined;
  }

  addText(text: string): void {
    if (this.#into === 'inline') this.#inline.add(text);
    else if (this.#into !== undefined && this.#cell !== undefined) {
      this.#cell[this.#into] = (this.#cell[this.#into] ?? '') + text;
    }
  }

  #read(into: 'value' | 'formula'): void {
    this.#into = into;
    if (this.#cell !== undefined) this.#cell[into] = '';
  }

  #openRow(attributes: string): void {
    const number = getAttribute(attributes, 'r');
    this.#row = number === undefined ? this.#row + 1 : Number(number) - 1;
    this.#column = -1;
    if (!Number.isInteger(this.#row) || this.#row < 0) throw notAWorkbook();
    if (/^(?:1|true)$/.test(getAttribute(attributes, 'hidden') ?? '')) this.hidden.add(this.#row);
  }

  #openCell(attributes: string): void {
    const reference = getAttribute(attributes, 'r');
    this.#column = reference === undefined ? this.#column + 1 : toColumn(reference);
    this.#into = undefined;
    this.#cell = {
      column: this.#column,
      type: getAttribute(attributes, 't') ?? 'n',
      format: this.#shared.formats[Number(getAttribute(attributes, 's') ?? 0)] ?? GENERAL,
      value: undefined,
      formula: undefined,
    };
  }

  #closeCell(cell: OpenCell): void {
    this.#cell = undefined;
    this.#into = undefined;
    const shown = this.#toCell(cell);
    if (shown === null) return;
    if (this.#row >= MAX_ROWS) {
      throw new UnreadableWorkbook(`must have at most ${formatCount(MAX_ROWS)} rows.`);
    }
    if (cell.column >= MAX_COLUMNS) return;
    this.#width = Math.max(this.#width, cell.column + 1);
    if (Math.max(this.#rows.length, this.#row + 1) * this.#width > MAX_CELLS) throw tooLarge();
    while (this.#rows.length <= this.#row) this.#rows.push([]);
    const row = this.#rows[this.#row] ?? [];
    while (row.length < cell.column) row.push(null);
    row[cell.column] = shown;
  }

  /** The rows, all of the same length. */
  padRows(): (SheetCell | null)[][] {
    for (const row of this.#rows) while (row.length < this.#width) row.push(null);
    return this.#rows;
  }

  #toCell({ type, value, formula, format }: OpenCell): SheetCell | null {
    // A formula that no program has computed yet: blank would hide it.
    if (value === undefined || (value === '' && type === 'n')) {
      return formula === undefined ? null : { text: toOwnText(`=${formula}`), isUncomputed: true };
    }
    if (type === 's') return this.#sharedText(Number(value));
    if (type === 'b') return { text: /^(?:1|true)$/i.test(value) ? 'TRUE' : 'FALSE' };
    const number = type === 'n' ? Number(value) : Number.NaN;
    if (!Number.isNaN(number)) return showNumber(number, format, this.#shared.is1904);
    // The escapes of an inline text are decoded already.
    return toTextCell(type === 'inlineStr' ? value : decodeEscapes(value));
  }

  #sharedText(number: number): SheetCell | null {
    const known = this.#shownTexts[number];
    if (known !== undefined) return known;
    const cell = toTextCell(this.#shared.texts[number] ?? '');
    if (number < this.#shared.texts.length) this.#shownTexts[number] = cell;
    return cell;
  }
}

const toTextCell = (text: string): SheetCell | null => (text === '' ? null : { text: toOwnText(text) });

/** The position of a cell such as `AB12` in its row. */
function toColumn(reference: string): number {
  const letters = /^[A-Z]{1,3}(?=\d)/i.exec(reference)?.[0];
  if (letters === undefined) throw notAWorkbook();
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function showNumber(value: number, { code, isDate }: CellFormat, is1904: boolean): SheetCell {
  if (!isDate) return { text: numberText(value, code, is1904) };
  const date = serialToDate(value, is1904);
  // Also where it is no date at all.
  if (!(value >= 0 && date.getTime() <= LAST_DATE)) return NO_DATE;
  return { text: formatValue(date, code, { is1904 }), date: date.toISOString().slice(0, 10) };
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
