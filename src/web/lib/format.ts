import { ageOn, calendarDate } from '../../domain/age.ts';
import { formatCount, plural } from '../../domain/format-count.ts';
import { DEPARTMENT_CODES, DEPARTMENTS } from '../../domain/student.ts';

const longDate = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A calendar date as `14 March 2005`. Read and written in UTC, so that no time zone can shift it. */
export const formatDate = (date: string) => longDate.format(new Date(`${date}T00:00:00Z`));

/** Whole years today, in the browser's time zone. */
export const currentAge = (dateOfBirth: string) => ageOn(calendarDate(new Date()), dateOfBirth);

/**
 * A date as a field holds it, in words: `4 March 2005`, or `4 March 2005, 21 years` with the age. Empty without a date, and
 * while its year is typed: the field then holds years such as 0020.
 */
export function dateInWords(date: string, hasAge = false): string {
  if (!/^[1-9]\d{3}-/.test(date)) return '';
  const age = hasAge ? currentAge(date) : -1;
  return formatDate(date) + (age < 0 ? '' : `, ${plural(age, 'year')}`);
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** A date and time in the browser's time zone; only the time if it is today. */
export function formatDateTime(iso: string, now = new Date()): string {
  const moment = new Date(iso);
  return moment.toDateString() === now.toDateString()
    ? `Today, ${time.format(moment)}`
    : dayAndTime.format(moment);
}

/** The day of a timestamp in the browser's time zone, as `14 March 2005`. */
export const formatDay = (iso: string) => day.format(new Date(iso));

/** The time of a timestamp in the browser's time zone, as `09:05`. */
export const formatTime = (iso: string) => time.format(new Date(iso));

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const points = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export { formatCount, plural };
export const formatPercent = (part: number, all: number) => percent.format(all === 0 ? 0 : part / all);
/** Grade points with two decimals. */
export const formatGradePoints = (value: number) => points.format(value);
export const formatStudentCount = (count: number) => plural(count, 'student');

/** The name of a department; an unknown code is returned as it is. */
export function departmentName(code: string): string {
  const known = DEPARTMENT_CODES.find((one) => one === code);
  return known === undefined ? code : DEPARTMENTS[known];
}
