import { describe, expect, test } from 'vitest';
import { binTotals, handleRows, plotRange } from './bins.ts';

describe('the bars', () => {
  test('hold the totals from a whole mark to below the next, with empty ones between', () => {
    expect(binTotals([60, 60.99, 62], 1)).toEqual([
      { from: 60, count: 2 },
      { from: 61, count: 0 },
      { from: 62, count: 1 },
    ]);
  });

  test.each([1, 5])('of %d marks put a total of 100 into the last one', (width) => {
    expect(binTotals([100], width)).toEqual([{ from: 100 - width, count: 1 }]);
  });

  test('are none without totals', () => {
    expect(binTotals([], 1)).toEqual([]);
  });
});

describe('the range of the plot', () => {
  test.each([
    ['totals and boundaries', [24, 95], [82, 35], [20, 100]],
    ['boundaries alone', [], [85, 50], [45, 90]],
    ['boundaries that somebody can reach', [60, 70], [104, -3], [55, 75]],
    ['equal totals', [98], [], [80, 100]],
    ['nothing', [], [], [0, 100]],
  ])('reaches around %s', (_, totals, boundaries, range) => {
    expect(plotRange(totals, boundaries)).toEqual(range);
  });
});

test('handles stand in the first row with room', () => {
  expect(handleRows([500, 440, 430, 380, 375, 100], 56)).toEqual([0, 0, 1, 0, 2, 0]);
});
