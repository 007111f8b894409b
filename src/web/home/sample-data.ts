/** Six preset data sets for the two charts of the home screen. Samples, not records. */
export const SAMPLE_MARKS: readonly (readonly number[])[] = [
  [1, 2, 3, 5, 9, 14, 19, 15, 8, 4],
  [0, 1, 2, 4, 7, 12, 17, 20, 12, 5],
  [2, 3, 6, 9, 13, 16, 12, 8, 5, 2],
  [0, 2, 2, 6, 11, 18, 16, 12, 7, 6],
  [1, 1, 4, 8, 15, 19, 14, 9, 4, 1],
  [0, 0, 1, 3, 6, 10, 15, 19, 17, 9],
];

export const SAMPLE_GPAS: readonly (readonly number[])[] = [
  [2.1, 2.6, 2.4, 3, 2.8, 3.3, 3.5, 3.7],
  [3.4, 3.1, 2.7, 2.4, 2.6, 3, 3.2, 3.5],
  [1.8, 2.2, 2.5, 2.3, 2.8, 2.6, 3.1, 3.2],
  [3.6, 3.2, 3.5, 3, 3.4, 3.6, 3.3, 3.8],
  [3, 2.6, 2.2, 1.9, 2.4, 2.9, 3.1, 3.3],
  [2.3, 2.9, 3.3, 2.8, 3.5, 3.2, 3.6, 3.4],
];

export const SAMPLE_COUNT = 6;
/** At least the largest sample bucket, so that the axis stays fixed while the bars move. */
export const SAMPLE_TOP = 20;
