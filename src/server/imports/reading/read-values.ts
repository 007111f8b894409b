import type { DateOrder, NameSplit } from '../../../contract/imports.ts';
import { plainNumber } from '../../../domain/columns/cells.ts';
import { SCHOOL_MARKS_TOTAL } from '../../../domain/student.ts';
import { type DateParts, orderDate, readDateText } from './dates.ts';
import type { FieldRule } from './fields.ts';
import type { ImportRowCells } from './import-file.ts';

/** How the cells of all rows are read. */
export interface ReadingChoices {
  /** Number of headings. */
  columns: number;
  /** The column of each field that is read. */
  mapping: Readonly<Record<string, number>>;
  /** The order of day and month by column; missing where the column has no such dates, or contradictory ones, which are errors. */
  dateOrders: Readonly<Record<number, DateOrder>>;
  /** One value for all rows, for fields without a column. */
  values: Readonly<Record<string, string>>;
  nameSplit: NameSplit | undefined;
  /** A comma in a mark is a decimal comma. */
  takesComma: boolean;
  /** Whether serial numbers of dates of the workbook count from 1904. */
  is1904: boolean;
}

/** The values of a row by field, for the schemas of the forms. */
export interface ReadRow {
  /** Without the fields whose cells are blank; null where the cell says `[clear]`. */
  values: Record<string, unknown>;
  /** Texts by field, of cells that can't be read. Such a field is not among the values. `row` is for the whole row. */
  errors: Record<string, string[]>;
}

/** Empties a field on update, where a blank cell leaves its value. */
const isClear = (text: string) => text.startsWith('[') && text.toLowerCase() === '[clear]';
/** Our own CSV export puts an apostrophe before what a spreadsheet would read as a formula. */
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r\n＝＋－＠])/;
/** Texts that a spreadsheet shows in place of a value that it can't compute. */
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;
/** The text that it shows where a column is too narrow for a number or date. */
const TOO_NARROW = /^#{2,}$/;
const CLASS = /^([A-Za-z]+)\s*[-/ ]\s*(.+?)\s*[-/ ]\s*([A-Za-z])$/;
const WITHOUT_TRAILING_ZEROS = /^(\d)(?:\.0+|(\.\d)0+)$/;

/** A text that continues "The first name …". */
class Unreadable extends Error {}

/** Reads a row; `fixes` are corrected cells by field, which may also be fields without a column. */
export function readValues(
  rules: readonly FieldRule[],
  row: ImportRowCells,
  choices: ReadingChoices,
  fixes: Readonly<Record<string, string>> = {},
): ReadRow {
  const given: Record<string, unknown> = {};
  const derived: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  if (row.cells.length > choices.columns) {
    errors.row = [
      'The row has more cells than there are headings. A text that contains the separator must be in quotation marks.',
    ];
  }
  for (const rule of rules) {
    try {
      const cell = findCell(rule.field, row, choices, fixes);
      if (cell === undefined || cell.text === '') continue;
      if (rule.gives === undefined)
        given[rule.field] = isClear(cell.text) ? null : readCell(rule, cell, choices);
      else Object.assign(derived, readSeveral(rule, cell.text, choices));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      errors[rule.field] = [`The ${rule.field.replaceAll('_', ' ')} ${error.message}`];
    }
  }
  return { values: { ...derived, ...given }, errors };
}

interface ReadableCell {
  text: string;
  /** The date of a date cell of a workbook. */
  date: string | undefined;
  /** The order of dates of its column. */
  dateOrder: DateOrder | undefined;
  /** It was typed for a row or for all rows: nothing else tells how its dates are meant. */
  isTyped: boolean;
}

/** @throws Unreadable */
function findCell(
  field: string,
  { cells }: ImportRowCells,
  { mapping, dateOrders, values }: ReadingChoices,
  fixes: Readonly<Record<string, string>>,
): ReadableCell | undefined {
  const column = mapping[field];
  const dateOrder = column === undefined ? undefined : dateOrders[column];
  const typed = fixes[field] ?? (column === undefined ? values[field] : undefined);
  if (typed !== undefined) return { text: typed.trim(), date: undefined, dateOrder, isTyped: true };
  const cell = column === undefined ? undefined : cells[column];
  if (cell === undefined) return undefined;
  const shown = cell.text.trim();
  if (shown.startsWith('#')) requireShown(shown);
  if (cell.isUncomputed) {
    throw new Unreadable(
      `is a formula without a value (${shown}). Open the workbook in a spreadsheet program, and save it there.`,
    );
  }
  const text = shown.startsWith("'") ? shown.replace(ESCAPED_FORMULA, '') : shown;
  return { text, date: cell.date, dateOrder, isTyped: false };
}

/** @throws Unreadable for what a spreadsheet shows in place of a value */
function requireShown(shown: string): void {
  if (SPREADSHEET_ERROR.test(shown)) {
    throw new Unreadable(`is an error of the spreadsheet (${shown}). Correct it there.`);
  }
  if (!TOO_NARROW.test(shown)) return;
  throw new Unreadable(
    `is not in the file (${shown}): its column was too narrow. Widen it in the spreadsheet, and save the file again.`,
  );
}

function readCell(rule: FieldRule, cell: ReadableCell, { is1904, takesComma }: ReadingChoices): unknown {
  const { text } = cell;
  switch (rule.value) {
    case 'digits':
      return readDigits(text);
    case 'date':
      return cell.date ?? readDate(cell, is1904);
    case 'number':
      return requireAllDigits(text);
    case 'ordinal':
      return readOrdinal(text);
    case 'school-marks':
      return readSchoolMarks(text);
    case 'mark': {
      const mark = plainNumber(text, takesComma || cell.isTyped);
      return Number.isNaN(mark) ? requireAllDigits(text) : mark;
    }
    case 'code': {
      const code = rule.codes?.get(text.toLowerCase());
      if (code !== undefined) return code;
      const plain = requireAllDigits(withPlainSpaces(text));
      return rule.codes?.get(plain.toLowerCase()) ?? plain;
    }
    case 'grade':
      return text.toUpperCase().replace(WITHOUT_TRAILING_ZEROS, '$1$2');
    default:
      return text;
  }
}

/** Beside the number of a semester or division. */
const ORDINAL_NOISE = /\b(?:semester|sem|division|div)\b\.?/gi;
const ORDINAL_WORDS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'];
const WITH_ENDING = /^(\d+)(?:st|nd|rd|th)$/;

/** `1st`, `I`, `First` and `Semester 1` as `1`; other texts as they are. */
function readOrdinal(text: string): string {
  const short = text.replaceAll(ORDINAL_NOISE, '').trim().toLowerCase();
  const named = Math.max(ORDINAL_WORDS.indexOf(short), ROMAN.indexOf(short)) + 1;
  if (named > 0) return String(named);
  return WITH_ENDING.exec(short)?.[1] ?? (/^\d+$/.test(short) ? short : requireAllDigits(text));
}

const OUT_OF = /^(\d+(?:\.\d+)?)\s*(?:\/|out of)\s*(\d+)$/i;

/** @throws Unreadable for marks out of another total */
function readSchoolMarks(text: string): string {
  const [, marks, total] = OUT_OF.exec(text) ?? [];
  if (marks === undefined) return requireAllDigits(text);
  if (Number(total) === SCHOOL_MARKS_TOTAL) return marks;
  throw new Unreadable(otherTotal(`are out of ${total}`));
}

const otherTotal = (what: string) =>
  `${what}. Marks out of another total are not converted: enter them out of ${SCHOOL_MARKS_TOTAL}.`;

/** A long number as a spreadsheet rewrites it; digits are lost. Spaces are in it only beside decimals or a sign. */
const SCIENTIFIC = /^[+-]?(?:\d+E[+-]?\d+|\d+\s*E\s*[+-]\s*\d+|(?:\d+[.,]\d*|[.,]\d+)\s*E\s*[+-]?\s*\d+)$/i;

/** @throws Unreadable for a number in scientific notation */
function requireAllDigits(text: string): string {
  if (!SCIENTIFIC.test(text)) return text;
  throw new Unreadable(
    `is rounded in the file (${text}). Format the column as text there, and enter all digits.`,
  );
}

/** Most numbers and IDs, which nothing can have spoilt. */
const CERTAIN = /^(?:\d+(?:[ -]\d+)*|[A-Z][\w-]*)$/i;
/** A whole number as programs write it that keep numbers with decimals. */
const WITH_DECIMALS = /^(\+?\d+)\.0{1,2}$/;
/** `1,234`, `1.234.567`, `48,5`, `48.50`, `2024901.`: with thousands, or with decimals that a name would not have. */
const EITHER_NUMBER =
  /^\+?(?:[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d*)?|\d+[.,]0+|\d+,\d{0,3}|\d+\.|[1-9]\d{0,2}\.\d{1,2}0)$/;

/**
 * A number that is a name, such as an ID, a phone number or a batch: all of its digits count. Without the `.0` that some programs
 * write after whole numbers.
 *
 * @throws Unreadable where digits may be lost, or where a point may separate thousands
 */
function readDigits(text: string): string {
  if (CERTAIN.test(text)) return text;
  const all = requireAllDigits(withPlainCharacters(text));
  const [, digits] = WITH_DECIMALS.exec(all) ?? [];
  if (digits !== undefined && Number.isSafeInteger(Number(digits))) return digits;
  if (digits !== undefined) {
    throw new Unreadable(
      `may be rounded in the file (${all}): it has more digits than programs keep of a number. Format the column as text there, and enter all digits.`,
    );
  }
  if (!EITHER_NUMBER.test(all)) return all;
  throw new Unreadable(`can be read in two ways (${all}). Write it without a point or comma.`);
}

/** Full-width letters and digits as ordinary ones, and nothing that is not seen. */
const withPlainCharacters = (text: string) =>
  withPlainSpaces(
    text
      .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''),
  ).trim();

/** Word processors and web pages put no-break, thin and wide spaces where people see ordinary ones. */
const withPlainSpaces = (text: string) => text.replaceAll(/\s+/g, ' ');

function readDate({ text, dateOrder, isTyped }: ReadableCell, is1904: boolean): string {
  const read = readDateText(text, is1904);
  switch (read.kind) {
    case 'date':
      return requireDay(read.date);
    case 'two-digit-year':
      throw new Unreadable(`must have a year of four digits, such as 2005-03-14, not “${text}”.`);
    case 'parts':
      return requireDay(orderDate(read, dateOrder ?? onlyOrder(read, isTyped)));
    case 'other':
      return text;
  }
}

const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/** @throws Unreadable for a day that the calendar does not have */
function requireDay(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const name = MONTH_NAMES[month - 1];
  // The check of the form refuses a zero.
  if (month === 0 || day === 0) return date;
  if (name === undefined) throw new Unreadable(`has the month ${month}, and a year has twelve.`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day <= days) return date;
  throw new Unreadable(`is ${day} ${name} ${year}, and that month has ${days} days.`);
}

/** Of a date whose column does not tell the order. */
function onlyOrder({ first, second }: DateParts, isTyped: boolean): DateOrder {
  if (first === second || (isTyped && first > 12)) return 'day-first';
  if (isTyped && second > 12) return 'month-first';
  throw new Unreadable(
    isTyped
      ? 'can be read in two ways. Write it as 2005-03-14.'
      : "can't be read: some dates of its column have the day first, others the month. Choose one order, and correct the others.",
  );
}

/** The values of a cell that gives several fields. */
function readSeveral(
  { value, gives = [] }: FieldRule,
  text: string,
  { nameSplit }: ReadingChoices,
): Record<string, unknown> {
  if (isClear(text)) return Object.fromEntries(gives.map((field) => [field, null]));
  switch (value) {
    case 'full-name':
      return splitName(text, nameSplit);
    case 'class': {
      const [, department = '', degree, syn = ''] = CLASS.exec(withPlainSpaces(text)) ?? [];
      if (degree === undefined) {
        throw new Unreadable('must be department, degree and syndicate, such as CE-44-B.');
      }
      return {
        department: department.toUpperCase(),
        degree: readDigits(degree),
        syn: syn.toUpperCase(),
      };
    }
    default:
      if (Number(text) === SCHOOL_MARKS_TOTAL) return {};
      throw new Unreadable(otherTotal(`must be ${SCHOOL_MARKS_TOTAL}`));
  }
}

/** Names as lists are sorted by them: `Khan, Ali`. */
const LAST_NAME_FIRST = /^([^,]*[^,\s])\s*,\s*([^,\s][^,]*)$/;

function splitName(name: string, split: NameSplit | undefined): Record<string, string> {
  const inverted = LAST_NAME_FIRST.exec(name);
  if (inverted) return { first_name: inverted[2] ?? '', last_name: inverted[1] ?? '' };
  if (name.includes(',')) throw new Unreadable('must have at most one comma, after the last name.');
  const words = name.split(/\s+/);
  if (words.length < 2) throw new Unreadable('must have a first and a last name.');
  if (split === undefined) throw new Unreadable('can be divided in two ways. Choose one.');
  const at = split === 'last-word' ? words.length - 1 : 1;
  return { first_name: words.slice(0, at).join(' '), last_name: words.slice(at).join(' ') };
}
