import { describe, expect, it } from 'vitest';
import { axisMax, axisTicks, toPercent, totalCount } from './axis.ts';

describe('axisMax', () => {
  it.each([
    [0, 4],
    [4, 4],
    [5, 8],
    [31, 32],
    [49, 60],
    [80, 80],
    [81, 100],
    [101, 120],
    [119, 120],
    [801, 1000],
    [1001, 1200],
    [12345, 16000],
  ])('ends the axis of %i at %i', (greatest, top) => {
    expect(axisMax(greatest)).toBe(top);
  });

  it('divides into four whole steps and reaches the largest count', () => {
    for (let greatest = 0; greatest < 5000; greatest += 7) {
      const top = axisMax(greatest);
      expect(top).toBeGreaterThanOrEqual(greatest);
      expect(axisTicks(top).every(Number.isInteger)).toBe(true);
    }
  });
});

describe('toPercent', () => {
  it('returns whole per cent', () => {
    expect(toPercent(31, 119)).toBe(26);
    expect(toPercent(0, 0)).toBe(0);
  });
});

it('totalCount adds up the counts', () => {
  expect(
    totalCount([
      { bin: 0, count: 2 },
      { bin: 10, count: 3 },
    ]),
  ).toBe(5);
});
