/** Marks, percent or grade points with at most two decimals, as whole hundredths. */
export const inHundredths = (value: number): number => Math.round(value * 100);

/** It has at most two decimals. */
export const hasTwoDecimals = (value: number): boolean => Math.abs(value * 100 - inHundredths(value)) < 1e-6;

/** Whether two numbers with two decimals differ by at least `by`. Their difference as floats can be a little less: 70.1 − 60.1. */
export const isApart = (a: number, b: number, by: number): boolean =>
  Math.abs(inHundredths(a) - inHundredths(b)) >= inHundredths(by);
