import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../../../domain/grading/policy.ts';
import type { SheetRow } from '../../../../domain/marksheets/class-statistics.ts';
import { beyondText, boundaryLimits, findBoundary, moveBoundary, proposeFor, snapDrag } from './scheme.ts';

const BOUNDARIES = [85, 80, 75, 70, 65, 60, 50];

describe('the limits of a boundary', () => {
  test('are one step from its neighbours', () => {
    expect(boundaryLimits(BOUNDARIES, 1, 0.5)).toEqual({ min: 75.5, max: 84.5 });
  });

  test('of A reach one step beyond the highest total, and of D down to 0', () => {
    expect(boundaryLimits(BOUNDARIES, 0, 0.01)).toEqual({ min: 80.01, max: 100.01 });
    expect(boundaryLimits(BOUNDARIES, 6, 0.01)).toEqual({ min: 0, max: 59.99 });
  });

  test('let a boundary stay that is closer to its neighbour than a step, or beyond the totals', () => {
    expect(boundaryLimits([110, 109.9, 75, 70, 65, 60, -5], 0, 1)).toEqual({ min: 110, max: 110 });
    expect(boundaryLimits([110, 109.9, 75, 70, 65, 60, -5], 6, 1)).toEqual({ min: -5, max: 59 });
  });
});

describe('moving a boundary', () => {
  test('stops before its neighbour', () => {
    expect(moveBoundary(BOUNDARIES, 2, 90, 0.25)).toEqual([85, 80, 79.75, 70, 65, 60, 50]);
    expect(moveBoundary(BOUNDARIES, 2, 0, 0.25)).toEqual([85, 80, 70.25, 70, 65, 60, 50]);
  });

  test('keeps two decimals of a sum that has more', () => {
    expect(moveBoundary(BOUNDARIES, 0, 85 + 0.1 + 0.2, 0.01)[0]).toBe(85.3);
  });

  test('answers the same list when nothing moves', () => {
    expect(moveBoundary(BOUNDARIES, 0, 85, 0.01)).toBe(BOUNDARIES);
  });
});

test.each([
  [0.01, 78.46, 78.5],
  [0.25, 78.4, 78.5],
  [0.03, 78.46, 78.48],
  [5, 78.46, 80],
])('a drag in steps of %d from %d ends at %d', (step, mark, end) => {
  expect(snapDrag(mark, step)).toBe(end);
});

test('boundaries above 100 are for nobody, those down from 0 for everybody', () => {
  expect([100.01, 100, 0.01, 0, -3].map(beyondText)).toEqual([
    'nobody',
    undefined,
    undefined,
    'everybody',
    'everybody',
  ]);
});

test('F has no boundary', () => {
  expect(findBoundary(BOUNDARIES, 'D')).toBe(50);
  expect(findBoundary(BOUNDARIES, 'F')).toBeUndefined();
});

test('numbers of the sheet take the place of those of the policy', () => {
  const rows: SheetRow[] = [95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74].map((total, i) => ({
    student_id: String(i),
    status: 'graded',
    total,
    isAbsent: false,
  }));
  const scheme = { method: 'absolute', params: {}, step: 0.01 } as const;
  const own = [90, 85, 80, 75, 70, 65, 60];
  expect(proposeFor(rows, scheme, DEFAULT_RULES).boundaries).toEqual(BOUNDARIES);
  expect(proposeFor(rows, { ...scheme, params: { boundaries: own } }, DEFAULT_RULES).boundaries).toEqual(own);
});
