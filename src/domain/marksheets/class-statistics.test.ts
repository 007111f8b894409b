import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  atDeviations,
  classStatistics,
  rowsWithLetter,
  type SheetRow,
  sumTotals,
  totalsInStatistics,
} from './class-statistics.ts';

const row = (total: number | null, other: Partial<SheetRow> = {}): SheetRow => ({
  student_id: `S-${total}`,
  status: 'graded',
  total,
  isAbsent: false,
  ...other,
});
const thirty = [
  ...[95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74, 73, 72, 71],
  ...[70, 69, 68, 66, 65, 63, 61, 60, 58, 55, 52, 49, 44, 38, 24],
];

describe('the statistics of a sheet', () => {
  test('are mean 68.20 and deviation 15.76 of the population for thirty marks with the sum 2046', () => {
    expect(classStatistics(thirty.map((total) => row(total)))).toEqual({ n: 30, mean: 68.2, std_dev: 15.76 });
  });

  test.each([
    ['84.17 and 10.88', [91, 90, 89, 88, 87, 60], 84.17, 10.88],
    ['89 and 1.41', [91, 90, 89, 88, 87], 89, 1.41],
    ['half a hundredth, rounded up', [0, 0.01], 0.01, 0.01],
    ['a deviation of 0 for one mark', [73.25], 73.25, 0],
  ])('are %s', (_figures, totals, mean, std_dev) => {
    expect(classStatistics(totals.map((total) => row(total)))).toEqual({ n: totals.length, mean, std_dev });
  });

  test('are null without totals', () => {
    expect(classStatistics([row(null)])).toEqual({ n: 0, mean: null, std_dev: null });
  });

  test('leave out rows without a total, without a grade, and of students who were absent throughout', () => {
    const rows = [
      row(80),
      row(60),
      row(null),
      row(0, { isAbsent: true }),
      row(10, { status: 'withdrawn' }),
      row(20, { status: 'incomplete' }),
      row(30, { status: 'excused' }),
    ];
    expect(classStatistics(rows)).toEqual({ n: 2, mean: 70, std_dev: 10 });
    expect(totalsInStatistics(rows)).toEqual([8000, 6000]);
    expect(rowsWithLetter(rows).map(({ total }) => total)).toEqual([80, 60, 0]);
  });
});

describe('a mark so many deviations from the mean', () => {
  test.each([
    ['down at 68.4999 …', [4000, 9699], 0, 100, 6800],
    ['up at exactly 68.50', [4000, 9700], 0, 100, 6900],
    ['up at exactly 25.005: 50.01 − 0.5 × 50.01', [0, 10_002], -0.5, 1, 2501],
    ['up at exactly 75.015', [0, 10_002], 0.5, 1, 7502],
    ['up at −12.5, which is −12', [0, 5000], -1.5, 100, -1200],
    ['down at −12.51', [0, 5004], -1.5, 100, -1300],
    ['down at 67.85499 …, where the root is no whole number', [7000, 7900, 8600], -1.6, 1, 6785],
    ['to a multiple of a half: 76.08 is 76', thirty.map((total) => total * 100), 0.5, 50, 7600],
  ])('is rounded %s', (_where, totals, k, step, hundredths) => {
    expect(atDeviations(sumTotals(totals), k, step)).toBe(hundredths);
  });

  const totals = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 60 });
  const ks = fc.integer({ min: -500, max: 500 });
  const steps = fc.integer({ min: 1, max: 500 });

  /** The sign of x + y√d for whole numbers. */
  function getSign(x: bigint, y: bigint, d: bigint): number {
    const square = y * y * d;
    const bySize = x * x === square ? 0 : x * x > square ? 1 : -1;
    if (x >= 0n && y >= 0n) return x > 0n || square > 0n ? 1 : 0;
    if (x <= 0n && y <= 0n) return x < 0n || square > 0n ? -1 : 0;
    return x > 0n ? bySize : -bySize;
  }

  /** Checks value − step ÷ 2 ≤ mean + k × deviation < value + step ÷ 2, all exact. */
  function expectRounded(marks: readonly number[], hundredthsOfK: number, step: number): void {
    const value = atDeviations(sumTotals(marks), hundredthsOfK / 100, step);
    expect(Math.abs(value % step)).toBe(0);
    const n = BigInt(marks.length);
    const sum = marks.reduce((all, one) => all + BigInt(one), 0n);
    const spread = n * marks.reduce((all, one) => all + BigInt(one) ** 2n, 0n) - sum * sum;
    const against = (twice: number) =>
      getSign(200n * sum - 100n * n * BigInt(twice), 2n * BigInt(hundredthsOfK), spread);
    expect(against(2 * value - step)).toBeGreaterThanOrEqual(0);
    expect(against(2 * value + step)).toBe(-1);
  }

  test('is rounded half up to the step, for any totals', () => {
    fc.assert(fc.property(totals, ks, steps, expectRounded), { numRuns: 2000 });
  });

  test('is rounded half up where it is a fraction: the deviation of two totals is half their difference', () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }));
    const even = fc.constantFrom(1, 2, 10, 50, 100);
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 30 }), ks, even, (two, times, k, step) => {
        const marks = Array.from({ length: times }, () => two).flat();
        expectRounded(marks, k, step);
        expectRounded(marks, Math.round(k / 50) * 50, step);
      }),
      { numRuns: 2000 },
    );
  });

  test('is exact for ten thousand totals', () => {
    const marks = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_001);
    for (const k of [-210, -10, 0, 40, 90, 500]) expectRounded(marks, k, 1);
  });
});
