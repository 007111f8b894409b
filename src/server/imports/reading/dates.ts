import type { DateOrder } from '../../../contract/imports.ts';

/** Day and month in an order that only the column can tell. */
export interface DateParts {
  kind: 'parts';
  first: number;
  second: number;
  year: string;
}

/** The text of a cell of a column with dates, read. */
export type DateText =
  /** Certain in itself: the year first, the month by name, or a serial number. */
  { kind: 'date'; date: string } | DateParts | { kind: 'two-digit-year' } | { kind: 'other' };

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{2}|\d{4})$/;
const DAY_AND_MONTH_NAME = /^(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\p{L}{3,9})[-/., ]+(\d{2}|\d{4})$/u;
const MONTH_NAME_AND_DAY = /^(\p{L}{3,9})[-/., ]+(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\d{2}|\d{4})$/u;
/** A time that programs add to a date without one. */
const MIDNIGHT = /[T ](?:0?0:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? ?AM)$/i;
const SERIAL = /^\d{5}$/;

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
];

/** The number of a month by its name or at least the first three letters of it; 0 for other words. */
const monthNumber = (name: string) =>
  MONTHS.findIndex(
    (month) =>
      month.startsWith(name.toLowerCase()) || (name.toLowerCase() === 'sept' && month === 'september'),
  ) + 1;

/** Reads the text of a date. Whether that day exists is not checked. */
export function readDateText(text: string, is1904: boolean): DateText {
  const trimmed = text.trim().replace(MIDNIGHT, '');
  if (SERIAL.test(trimmed)) return { kind: 'date', date: serialToDate(Number(trimmed), is1904) };
  const yearFirst = YEAR_FIRST.exec(trimmed);
  if (yearFirst) return certain(yearFirst[1], yearFirst[3], yearFirst[4]);
  const yearLast = YEAR_LAST.exec(trimmed);
  if (yearLast) {
    const [, first, , second, year = ''] = yearLast;
    if (year.length === 2) return { kind: 'two-digit-year' };
    return { kind: 'parts', first: Number(first), second: Number(second), year };
  }
  const dayFirst = DAY_AND_MONTH_NAME.exec(trimmed);
  if (dayFirst) return named(dayFirst[1], dayFirst[2], dayFirst[3]);
  const monthFirst = MONTH_NAME_AND_DAY.exec(trimmed);
  if (monthFirst) return named(monthFirst[2], monthFirst[1], monthFirst[3]);
  return { kind: 'other' };
}

function named(day = '', name = '', year = ''): DateText {
  const month = monthNumber(name);
  if (month === 0) return { kind: 'other' };
  return year.length === 2 ? { kind: 'two-digit-year' } : certain(year, String(month), day);
}

const certain = (year = '', month = '', day = ''): DateText => ({
  kind: 'date',
  date: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
});

/** The ISO date of parts in this order. */
export function orderDate({ first, second, year }: DateParts, order: DateOrder): string {
  const [day, month] = order === 'day-first' ? [first, second] : [second, first];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const MS_PER_DAY = 86_400_000;
/** Day 0 of Excel for the serial numbers from 61 on; it counts a 29 February 1900 that did not exist. */
const SERIAL_BASE = Date.UTC(1899, 11, 30);
/** Days between the two day counts of Excel. */
const DAYS_TO_1904 = 1462;

/** @param serial days as Excel counts them, 61 or more */
const serialToDate = (serial: number, is1904: boolean) =>
  new Date(SERIAL_BASE + (serial + (is1904 ? DAYS_TO_1904 : 0)) * MS_PER_DAY).toISOString().slice(0, 10);
