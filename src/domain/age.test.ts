import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageOn, calendarDate } from './age.ts';

describe('age', () => {
  test.each([
    ['on the birthday', '2025-03-14', '2005-03-14', 20],
    ['the day before it', '2025-03-13', '2005-03-14', 19],
    ['the day after it', '2025-03-15', '2005-03-14', 20],
    ['on New Year, born on the last day of a year', '2025-01-01', '2004-12-31', 20],
    ['on the last day, born on New Year', '2024-12-31', '2005-01-01', 19],
    ['on the day of birth', '2005-03-14', '2005-03-14', 0],
  ])('%s', (_when, today, born, age) => {
    expect(ageOn(today, born)).toBe(age);
  });

  test.each([
    ['28 February of a common year is too early', '2025-02-28', 20],
    ['1 March of a common year is the birthday', '2025-03-01', 21],
    ['28 February of a leap year is too early', '2024-02-28', 19],
    ['29 February of a leap year is the birthday', '2024-02-29', 20],
    ['28 February of 2100, which is no leap year, is too early', '2100-02-28', 95],
    ['1 March of 2100 is the birthday', '2100-03-01', 96],
  ])('born on 29 February 2004: %s', (_when, today, age) => {
    expect(ageOn(today, '2004-02-29')).toBe(age);
  });

  test('counts the birthdays that have come, whatever the dates', () => {
    const day = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((moment) => moment.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [born, today] = one < other ? [one, other] : [other, one];
        const [year, month, dayOfMonth] = born.split('-').map(Number) as [number, number, number];
        let birthdays = 0;
        // Date.UTC rolls 29 February of a common year over to 1 March.
        while (Date.UTC(year + birthdays + 1, month - 1, dayOfMonth) <= Date.parse(today)) birthdays += 1;
        expect(ageOn(today, born)).toBe(birthdays);
      }),
    );
  });
});

describe('calendar date', () => {
  test('is that of the machine’s own clock, from the first to the last minute of the day', () => {
    expect(calendarDate(new Date(2025, 0, 1, 0, 0))).toBe('2025-01-01');
    expect(calendarDate(new Date(2025, 11, 31, 23, 59))).toBe('2025-12-31');
    expect(calendarDate(new Date(2024, 1, 29, 12, 0))).toBe('2024-02-29');
  });

  test('keeps four digits for years long past', () => {
    const moment = new Date(2000, 8, 3);
    moment.setFullYear(987);
    expect(calendarDate(moment)).toBe('0987-09-03');
  });
});
