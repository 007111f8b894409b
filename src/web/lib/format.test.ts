import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dateInWords } from './format.ts';

describe('a date in words', () => {
  beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 2, 3) }));
  afterEach(() => vi.useRealTimers());

  test('names the month, so that day and month can’t be confused', () => {
    expect(dateInWords('2005-03-04')).toBe('4 March 2005');
  });

  test.each([
    ['2005-03-04', '4 March 2005, 20 years'],
    ['2005-03-03', '3 March 2005, 21 years'],
    ['2025-01-31', '31 January 2025, 1 year'],
    ['2027-01-31', '31 January 2027'],
  ])('adds the age of somebody born on %s, if that day is past', (date, words) => {
    expect(dateInWords(date, true)).toBe(words);
  });

  test.each(['', '0200-03-04', '20055-03-04'])(
    'is empty for %o, which is no date or an unfinished one',
    (date) => {
      expect(dateInWords(date, true)).toBe('');
    },
  );
});
