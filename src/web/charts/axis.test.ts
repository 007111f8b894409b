import { describe, expect, it } from 'vitest';
import { axisSteps, axisTop, share, total } from './axis.ts';

describe('axisTop', () => {
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
    expect(axisTop(greatest)).toBe(top);
  });

  it('always gives four whole steps that reach the greatest count', () => {
    for (let greatest = 0; greatest < 5000; greatest += 7) {
      const top = axisTop(greatest);
      expect(top).toBeGreaterThanOrEqual(greatest);
      expect(axisSteps(top).every(Number.isInteger)).toBe(true);
    }
  });
});

describe('share', () => {
  it('is a whole per cent', () => {
    expect(share(31, 119)).toBe(26);
    expect(share(0, 0)).toBe(0);
  });
});

it('adds the counts', () => {
  expect(
    total([
      { bin: 0, count: 2 },
      { bin: 10, count: 3 },
    ]),
  ).toBe(5);
});
