/**
 * Age in whole years, one less while this year's birthday is still to come. Both are calendar dates
 * (`YYYY-MM-DD`), so no time zone can shift them; text comparison of the month and day also makes
 * 29 February count as having its birthday on 1 March in other years.
 */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** The calendar date (`YYYY-MM-DD`) of a time in the local time zone. */
export function calendarDate(moment: Date): string {
  const pad = (n: number, width: number) => String(n).padStart(width, '0');
  return `${pad(moment.getFullYear(), 4)}-${pad(moment.getMonth() + 1, 2)}-${pad(moment.getDate(), 2)}`;
}
