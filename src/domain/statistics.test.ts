import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BINS,
  binIndex,
  binLabels,
  EMPTY_TALLY,
  mergeTallies,
  summarizeMarks,
  tallyMarks,
} from './statistics.ts';

const summarize = (marks: readonly number[]) => summarizeMarks(tallyMarks(marks));

/** Marks in the tests have at most three decimals. */
const thousandths = (mark: number) => BigInt(Math.round(mark * 1000));

/** Largest whole number whose square is at most `n`. */
function wholeRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (root * root > n) root -= 1n;
  while ((root + 1n) * (root + 1n) <= n) root += 1n;
  return root;
}

const inHundredths = (hundredths: bigint) =>
  `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;

/** The mean as an exact fraction, rounded half up. */
function exactMean(marks: readonly number[]): string {
  const count = BigInt(marks.length);
  const sum = marks.reduce((total, mark) => total + thousandths(mark), 0n);
  // ⌊sum ÷ (10 count) + ½⌋
  return inHundredths((sum + 5n * count) / (10n * count));
}

/** The population standard deviation, rounded half up, in integer arithmetic. */
function exactDeviation(marks: readonly number[]): string {
  const count = BigInt(marks.length);
  const sum = marks.reduce((total, mark) => total + thousandths(mark), 0n);
  const squares = marks.reduce((total, mark) => total + thousandths(mark) ** 2n, 0n);
  // The deviation in thousandths is √q ÷ count; ⌊√q ÷ (10 count) + ½⌋ = ⌊(⌊√(4q)⌋ + 10 count) ÷ (20 count)⌋.
  const q = count * squares - sum * sum;
  return inHundredths((wholeRoot(4n * q) + 10n * count) / (20n * count));
}

describe('statistics of marks, compared with hand calculations', () => {
  test('have mean 5 and deviation 2 for 2, 4, 4, 4, 5, 5, 7, 9', () => {
    expect(summarize([2, 4, 4, 4, 5, 5, 7, 9])).toMatchObject({ count: 8, average: 5, std_dev: 2 });
  });

  test('have deviation 0 for one mark, and 50 for 0 and 100', () => {
    expect(summarize([73.25])).toMatchObject({ count: 1, average: 73.25, std_dev: 0 });
    expect(summarize([0, 100])).toMatchObject({ average: 50, std_dev: 50 });
  });

  test('round half a hundredth up, even if its binary fraction is smaller', () => {
    expect(summarize([50.01, 50.02]).average).toBe(50.02); // 50.015
    expect(summarize([1, 1.01]).average).toBe(1.01); // 1.005, whose binary fraction is smaller
    expect(summarize([0, 0.01])).toMatchObject({ average: 0.01, std_dev: 0.01 }); // 0.005 each
    expect(summarize([8.34, 8.35, 8.34, 8.35]).average).toBe(8.35); // 8.345
    expect(summarize([40, 40.27]).std_dev).toBe(0.14); // 0.135
    expect(summarize([0.004])).toMatchObject({ average: 0 });
    expect(summarize([0.005])).toMatchObject({ average: 0.01 });
  });

  test('are null without marks', () => {
    expect(summarize([])).toEqual({ count: 0, average: null, std_dev: null, histogram: [] });
  });

  test('count a mark on an edge in the upper bucket, and 100 in the last', () => {
    expect(summarize([0, 9.99, 10, 89.99, 90, 100]).histogram).toEqual([
      { bin: 0, count: 2 },
      { bin: 10, count: 1 },
      ...[20, 30, 40, 50, 60, 70].map((bin) => ({ bin, count: 0 })),
      { bin: 80, count: 1 },
      { bin: 90, count: 2 },
    ]);
  });
});

describe('statistics of any marks', () => {
  const whole = fc.integer({ min: 0, max: 100 });
  const halves = fc.integer({ min: 0, max: 200 }).map((n) => n / 2);
  const hundredth = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100);
  const fine = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000);
  const narrow = fc.integer({ min: 9_950, max: 10_000 }).map((n) => n / 100);
  const group = fc.oneof(
    ...[whole, halves, hundredth, fine, narrow].map((mark) =>
      fc.array(mark, { minLength: 1, maxLength: 120 }),
    ),
  );

  test('are the exact mean and deviation, rounded half up', () => {
    fc.assert(
      fc.property(group, (marks) => {
        const { average, std_dev } = summarize(marks);
        expect(average?.toFixed(2)).toBe(exactMean(marks));
        expect(std_dev?.toFixed(2)).toBe(exactDeviation(marks));
      }),
      { numRuns: 2000 },
    );
  });

  test('are exact for values at or near half a hundredth', () => {
    // Pairs a, b: the deviation |a − b| ÷ 2 and the mean (a + b) ÷ 2 are halves in half of the cases.
    fc.assert(
      fc.property(hundredth, hundredth, fc.integer({ min: 1, max: 60 }), (a, b, times) => {
        const marks = Array.from({ length: times }, () => [a, b]).flat();
        const { average, std_dev } = summarize(marks);
        expect([average?.toFixed(2), std_dev?.toFixed(2)]).toEqual([exactMean(marks), exactDeviation(marks)]);
        const nearHalf = [...marks, a];
        expect(summarize(nearHalf).std_dev?.toFixed(2)).toBe(exactDeviation(nearHalf));
      }),
      { numRuns: 2000 },
    );
  });

  test('are exact for a hundred thousand marks', () => {
    for (const [step, size] of [
      [7919, 10_001],
      [1, 3],
      [104_729, 100],
    ] as const) {
      const marks = Array.from({ length: 100_000 }, (_, i) => 99 + ((i * step) % size) / 10_100);
      const rounded = marks.map((mark) => Math.min(100, Math.round(mark * 1000) / 1000));
      const { average, std_dev } = summarize(rounded);
      expect([average?.toFixed(2), std_dev?.toFixed(2)]).toEqual([
        exactMean(rounded),
        exactDeviation(rounded),
      ]);
    }
  });

  test('count every mark in one bucket', () => {
    fc.assert(
      fc.property(group, (marks) => {
        const { histogram, count } = summarize(marks);
        expect(histogram.map(({ bin }) => bin)).toEqual([...BINS]);
        expect(histogram.reduce((sum, bin) => sum + bin.count, 0)).toBe(marks.length);
        expect(count).toBe(marks.length);
        for (const { bin, count: inBin } of histogram) {
          const upTo = bin === 90 ? 100.001 : bin + 10;
          expect(inBin).toBe(marks.filter((mark) => mark >= bin && mark < upTo).length);
        }
      }),
    );
  });

  test('of two merged tallies are those of all marks, in either order', () => {
    fc.assert(
      fc.property(group, group, (a, b) => {
        const together = summarize([...a, ...b]);
        expect(summarizeMarks(mergeTallies(tallyMarks(a), tallyMarks(b)))).toEqual(together);
        expect(summarizeMarks(mergeTallies(tallyMarks(b), tallyMarks(a)))).toEqual(together);
        expect(summarizeMarks(mergeTallies(tallyMarks(a), EMPTY_TALLY))).toEqual(summarize(a));
        expect(summarizeMarks(mergeTallies(EMPTY_TALLY, tallyMarks(b)))).toEqual(summarize(b));
      }),
      { numRuns: 500 },
    );
  });

  test('are the same after storing the tally as JSON', () => {
    fc.assert(
      fc.property(group, (marks) => {
        const stored = JSON.parse(JSON.stringify(tallyMarks(marks)));
        expect(summarizeMarks(stored)).toEqual(summarize(marks));
      }),
    );
  });
});

test.each([
  [0, 0],
  [9.99, 0],
  [10, 1],
  [10.01, 1],
  [89.999, 8],
  [90, 9],
  [99.99, 9],
  [100, 9],
])('a mark of %s belongs to bucket %s', (mark, bucket) => {
  expect(binIndex(mark)).toBe(bucket);
});

test('every mark lies between the edges of its bucket, and only 100 on the upper edge of the last', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (mark) => {
      const lower = BINS[binIndex(mark)] ?? Number.NaN;
      expect(mark).toBeGreaterThanOrEqual(lower);
      if (mark === 100) expect(lower).toBe(90);
      else expect(mark).toBeLessThan(lower + 10);
    }),
  );
});

// Covers 3.35
test('labels name both edges of a bucket, and only the lower one of the last', () => {
  expect(binLabels(BINS)).toEqual([
    '0-10',
    '10-20',
    '20-30',
    '30-40',
    '40-50',
    '50-60',
    '60-70',
    '70-80',
    '80-90',
    '90+',
  ]);
  expect(binLabels([0, 25, 50])).toEqual(['0-25', '25-50', '50+']);
  expect(binLabels([])).toEqual([]);
});
