import { ageOn, calendarDate } from '../../domain/age.ts';

const longDate = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A calendar date as `14 March 2005`. Read and written in UTC, so that no time zone can shift it. */
export const dateText = (date: string) => longDate.format(new Date(`${date}T00:00:00Z`));

/** Whole years today, in this machine's own time zone. */
export const ageToday = (dateOfBirth: string) => ageOn(calendarDate(new Date()), dateOfBirth);
