import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageOn, calendarDate } from './age.ts';

describe('age', () => {
  // Covers 3.7
  test.each([
    ['is a year more on the birthday', '2025-03-14', '2005-03-14', 20],
    ['is unchanged the day before the birthday', '2025-03-13', '2005-03-14', 19],
    ['is a year more the day after the birthday', '2025-03-15', '2005-03-14', 20],
    ['is counted on 1 January for a birth on 31 December', '2025-01-01', '2004-12-31', 20],
    ['is counted on 31 December for a birth on 1 January', '2024-12-31', '2005-01-01', 19],
    ['is 0 on the day of birth', '2005-03-14', '2005-03-14', 0],
  ])('%s', (_title, today, born, age) => {
    expect(ageOn(today, born)).toBe(age);
  });

  test.each([
    ['28 February of a common year is not yet the birthday', '2025-02-28', 20],
    ['1 March of a common year is the birthday', '2025-03-01', 21],
    ['28 February of a leap year is not yet the birthday', '2024-02-28', 19],
    ['29 February of a leap year is the birthday', '2024-02-29', 20],
    ['28 February of 2100, not a leap year, is not yet the birthday', '2100-02-28', 95],
    ['1 March of 2100 is the birthday', '2100-03-01', 96],
  ])('of someone born on 29 February 2004: %s', (_title, today, age) => {
    expect(ageOn(today, '2004-02-29')).toBe(age);
  });

  // Covers 3.7
  test('equals the number of birthdays so far, for any dates', () => {
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

describe('the calendar date', () => {
  // Covers 3.8
  test('is the local date of the machine, from the first to the last minute of the day', () => {
    expect(calendarDate(new Date(2025, 0, 1, 0, 0))).toBe('2025-01-01');
    expect(calendarDate(new Date(2025, 11, 31, 23, 59))).toBe('2025-12-31');
    expect(calendarDate(new Date(2024, 1, 29, 12, 0))).toBe('2024-02-29');
  });

  test('has four digits for years before 1000', () => {
    const moment = new Date(2000, 8, 3);
    moment.setFullYear(987);
    expect(calendarDate(moment)).toBe('0987-09-03');
  });
});
