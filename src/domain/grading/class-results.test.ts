import { describe, expect, test } from 'vitest';
import { rankStudents, type SemesterResults, summariseResults } from './class-results.ts';

describe('ranking', () => {
  const values = [3.91, 3.78, 3.78, 3.65, 3.52, 3.52, 3.52, 3.1];

  test('gives equal values one rank and skips the next: 1 2 2 4 5 5 5 8', () => {
    const ranked = rankStudents(values.toReversed().map((value) => ({ value })));
    expect(ranked.map(({ student }) => student.value)).toEqual(values);
    expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, 2, 4, 5, 5, 5, 8]);
  });

  test('has as percentile the students below and half of the equals: 75 for 3.78', () => {
    const percentiles = rankStudents(values.map((value) => ({ value }))).map(({ percentile }) => percentile);
    expect(percentiles).toEqual([93.75, 75, 75, 56.25, 31.25, 31.25, 31.25, 6.25]);
  });

  test('of nobody is empty', () => {
    expect(rankStudents([])).toEqual([]);
  });
});

describe('the summary of results', () => {
  const student = (sgpa: number, fails = 0, other: Partial<SemesterResults> = {}): SemesterResults => ({
    sgpa,
    fails,
    isComplete: true,
    isGraded: true,
    isProvisional: false,
    ...other,
  });

  test('counts provisional results nowhere else, and incomplete ones as entered only', () => {
    expect(
      summariseResults([
        student(3.5),
        student(2.01),
        student(2, 1),
        student(1.5, 2),
        student(0.7, 4),
        student(4, 0, { isComplete: false }),
        student(4, 0, { isProvisional: true }),
      ]),
    ).toEqual({
      entered: 6,
      provisional: 1,
      complete: 5,
      passed_all: 2,
      fails: { '1': 1, '2': 1, '3+': 1 },
      pass_share: 0.4,
      mean_sgpa: 1.94,
      median_sgpa: 2,
      highest_sgpa: 3.5,
    });
  });

  test('counts the F of incomplete results, and nobody as passed who is not complete', () => {
    // F, F, F and a course that was withdrawn; the same with an I; one F and an I; all withdrawn.
    expect(
      summariseResults([
        student(0, 3),
        student(0, 3, { isComplete: false }),
        student(2, 1, { isComplete: false }),
        student(0, 0, { isGraded: false }),
      ]),
    ).toEqual({
      entered: 4,
      provisional: 0,
      complete: 2,
      passed_all: 1,
      fails: { '1': 1, '2': 0, '3+': 2 },
      pass_share: 0.5,
      mean_sgpa: 0,
      median_sgpa: 0,
      highest_sgpa: 0,
    });
    const incomplete = summariseResults([student(0, 2, { isComplete: false })]);
    expect(incomplete).toMatchObject({ complete: 0, pass_share: null, fails: { '2': 1 }, mean_sgpa: null });
  });

  test('rounds the median of an even number half up', () => {
    expect(summariseResults([student(2.01), student(2)]).median_sgpa).toBe(2.01);
  });

  test('has no averages without complete results', () => {
    expect(summariseResults([])).toEqual({
      entered: 0,
      provisional: 0,
      complete: 0,
      passed_all: 0,
      fails: { '1': 0, '2': 0, '3+': 0 },
      pass_share: null,
      mean_sgpa: null,
      median_sgpa: null,
      highest_sgpa: null,
    });
  });
});
