import { describe, expect, test } from 'vitest';
import { countContactHours, countCredits, parseHours } from './hours.ts';

describe('the hours of a subject', () => {
  test.for(['3+1', '3,1', '3-1', '3–1', '3 1', ' 3 + 1 ', '4(3+1)', '4 (3,1)'])(
    'are read from "%s"',
    (text) => {
      expect(parseHours(text)).toEqual({ theory: 3, lab: 1 });
    },
  );

  test('are read from a sum with its parts', () => {
    expect(parseHours('3(2+1)')).toEqual({ theory: 2, lab: 1 });
    expect(parseHours('0-2')).toEqual({ theory: 0, lab: 2 });
  });

  test.for(['', '3', '3.5+1', '3+1.5', '3++1', '31', '7+0', '5 (3+1)', '4 (3+1', '-3+1', 'three'])(
    'are not read from "%s"',
    (text) => {
      expect(parseHours(text)).toBeUndefined();
    },
  );

  test('come to credit hours and contact hours', () => {
    expect(countCredits({ theory: 13, lab: 6 })).toBe(19);
    expect(countContactHours({ theory: 13, lab: 6 })).toBe(31);
  });
});
