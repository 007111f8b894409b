import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BINS, binIndex, binLabels } from './histogram.ts';

test.each([
  [0, 0],
  [9.99, 0],
  [10, 1],
  [10.01, 1],
  [89.999, 8],
  [90, 9],
  [99.99, 9],
  [100, 9],
])('a mark of %s falls in bucket %s', (mark, bucket) => {
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

test('labels run from bucket to bucket, the last one open', () => {
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
