import { expect, it } from 'vitest';
import { SAMPLE_COUNT, SAMPLE_GPAS, SAMPLE_MARKS, SAMPLE_TOP } from './sample-data.ts';

// Covers 2.51, 2.53, 2.54
it('the sample data has six sets of ten buckets and of eight semesters', () => {
  expect(SAMPLE_COUNT).toBe(6);
  expect(SAMPLE_MARKS.map((set) => set.length)).toEqual(Array(6).fill(10));
  expect(SAMPLE_GPAS.map((set) => set.length)).toEqual(Array(6).fill(8));
  expect(Math.max(...SAMPLE_MARKS.flat())).toBeLessThanOrEqual(SAMPLE_TOP);
  expect(Math.max(...SAMPLE_GPAS.flat())).toBeLessThanOrEqual(4);
});
