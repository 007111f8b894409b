import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CREDIT_HOURS, SEMESTER_COUNT, SUBJECT_COUNT } from '../student.ts';
import {
  average,
  currentCgpa,
  finalCgpa,
  GRADE_LETTERS,
  type GradedSubject,
  gpaSums,
  gradeLetter,
  gradePoints,
  latestCgpa,
} from './gpa.ts';

const subject = (credits: number | null, points: number | null): GradedSubject => ({ credits, points });
const sgpa = (subjects: GradedSubject[]) => average(gpaSums(subjects));

describe('the average of one semester, compared with hand calculations', () => {
  test('of A in 3 hours and B in 3 hours is (12 + 9) ÷ 6 = 3.5', () => {
    expect(sgpa([subject(3, 4), subject(3, 3)])).toBe(3.5);
  });

  test('is weighted by credit hours: (4×4 + 3×3.5 + 1×2) ÷ 8 = 28.5 ÷ 8 = 3.5625, so 3.56', () => {
    expect(sgpa([subject(4, 4), subject(3, 3.5), subject(1, 2)])).toBe(3.56);
  });

  test('rounds half a hundredth up: (5×4 + 3×3.5) ÷ 8 = 3.8125, (7×4 + 1×3) ÷ 8 = 3.875, so 3.81 and 3.88', () => {
    expect(sgpa([subject(5, 4), subject(3, 3.5)])).toBe(3.81);
    expect(sgpa([subject(6, 4), subject(1, 4), subject(1, 3)])).toBe(3.88);
  });

  test('rounds half a hundredth up even if its binary fraction is smaller: 100.5 ÷ 100 = 1.005, so 1.01', () => {
    expect(1.005 * 100).toBeLessThan(100.5);
    expect(average({ credits: 100, halfPoints: 201 })).toBe(1.01);
  });

  test('rounds thirds to the nearest hundredth: 10 ÷ 3 = 3.33, 11 ÷ 3 = 3.67', () => {
    expect(sgpa([subject(1, 4), subject(1, 4), subject(1, 2)])).toBe(3.33);
    expect(sgpa([subject(1, 4), subject(1, 4), subject(1, 3)])).toBe(3.67);
  });

  test('includes the hours of an F: 12 ÷ 6 = 2', () => {
    expect(sgpa([subject(3, 4), subject(3, 0)])).toBe(2);
  });

  test('ignores a subject without credit hours or without a grade', () => {
    expect(sgpa([subject(3, 4), subject(null, 0), subject(6, null), subject(null, null)])).toBe(4);
  });

  test('is 0 without graded subjects', () => {
    expect(sgpa([])).toBe(0);
    expect(sgpa([subject(3, null)])).toBe(0);
  });
});

const recorded = (...cgpas: readonly number[]) => cgpas.map((cgpa) => ({ cgpa, isGraded: true }));
const ungraded = { cgpa: 0, isGraded: false };

describe('the cumulative average shown on a record', () => {
  test.each([
    ['that of the semester before the current one', recorded(3.1, 3.2, 3.3), 3, 3.2, 2],
    ['that of the last semester for a student past it', recorded(3.1, 3.2, 3.3), 4, 3.3, 3],
    [
      'the latest recorded if that of the semester before the current one is missing',
      recorded(3.1, 3.2),
      8,
      3.2,
      2,
    ],
    ['the latest recorded, in the first semester', recorded(3.1), 1, 3.1, 1],
    ['0 after an F', recorded(0, 2), 2, 0, 1],
    [
      'that of an ungraded semester after a graded one',
      [...recorded(3.1), { cgpa: 3.1, isGraded: false }],
      3,
      3.1,
      2,
    ],
    [
      'the latest recorded if nothing is graded before the current semester',
      [ungraded, ...recorded(2)],
      2,
      2,
      2,
    ],
  ])('is %s', (_which, semesters, currentSemester, cgpa, semester) => {
    expect(latestCgpa(semesters, currentSemester)).toEqual({ cgpa, semester });
  });

  test.each([
    ['recorded', []],
    ['graded', [ungraded, ungraded]],
  ])('is null if nothing is %s', (_what, semesters) => {
    expect(latestCgpa(semesters, 3)).toBeNull();
  });
});

describe('the current cumulative average', () => {
  test('is that after the latest semester, where it includes more than the one shown', () => {
    const seven = recorded(3, 3, 3, 3, 3.4, 3.31, 3.11);
    expect(latestCgpa(seven, 7)).toEqual({ cgpa: 3.31, semester: 6 });
    expect(currentCgpa(seven, 7)).toEqual({ cgpa: 3.11, semester: 7 });
    expect(currentCgpa(seven, 8)).toBeNull();
    expect(currentCgpa(seven.slice(0, 6), 7)).toBeNull();
  });

  test('takes no semester into account that the record does not show, and is null in the first', () => {
    expect(currentCgpa(recorded(3, 3.2, 3.4), 2)).toEqual({ cgpa: 3.2, semester: 2 });
    expect(currentCgpa(recorded(3), 1)).toBeNull();
    expect(currentCgpa([], 1)).toBeNull();
  });
});

describe('the final cumulative average', () => {
  const eight = recorded(3, 3, 3, 3, 3, 3, 3.1, 3.2);

  test('is that of the eighth semester once all are recorded', () => {
    expect(finalCgpa(eight, 8)).toBe(3.2);
    expect(finalCgpa(eight.slice(0, 7), 8)).toBeNull();
    expect(finalCgpa(eight, 7)).toBeNull();
    expect(
      finalCgpa(
        eight.map(() => ungraded),
        8,
      ),
    ).toBeNull();
  });
});

/** Half-up rounding of an exact fraction of big integers; an implementation independent of the product’s. */
function exactHundredths(subjects: readonly GradedSubject[]): bigint {
  let credits = 0n;
  let halfPoints = 0n;
  for (const { credits: hours, points } of subjects) {
    if (hours === null || points === null) continue;
    credits += BigInt(hours);
    halfPoints += (BigInt(hours) * BigInt(points * 10)) / 5n;
  }
  if (credits === 0n) return 0n;
  const thousandFold = (1000n * halfPoints) / (2n * credits);
  const atLeastHalf = (1000n * halfPoints) % (10n * 2n * credits) >= 5n * 2n * credits;
  return thousandFold / 10n + (atLeastHalf ? 1n : 0n);
}

describe('every average', () => {
  const hours = fc.option(fc.integer(CREDIT_HOURS));
  const points = fc.option(fc.constantFrom(...GRADE_LETTERS).map(gradePoints));
  const semester = fc.array(fc.record({ credits: hours, points }), { maxLength: SUBJECT_COUNT });
  const semesters = fc.array(semester, { maxLength: SEMESTER_COUNT });

  test('is the exact fraction rounded half up, for any subjects', () => {
    fc.assert(
      fc.property(semesters, (all) => {
        const subjects = all.flat();
        expect(sgpa(subjects).toFixed(2)).toBe((Number(exactHundredths(subjects)) / 100).toFixed(2));
      }),
      { numRuns: 500 },
    );
  });

  test('is between 0 and 4 with at most two decimals, and survives JSON', () => {
    fc.assert(
      fc.property(semester, (subjects) => {
        const own = sgpa(subjects);
        expect(own).toBeGreaterThanOrEqual(0);
        expect(own).toBeLessThanOrEqual(4);
        expect(Number(own.toFixed(2))).toBe(own);
        expect(JSON.parse(JSON.stringify(own))).toBe(own);
      }),
    );
  });

  test('is independent of the order of the subjects', () => {
    fc.assert(
      fc.property(semester, (subjects) => {
        expect(sgpa([...subjects].reverse())).toBe(sgpa(subjects));
      }),
    );
  });
});

// Covers 9.7
test('grade letters have the points of the faculty', () => {
  expect(Object.fromEntries(GRADE_LETTERS.map((letter) => [letter, gradePoints(letter)]))).toEqual({
    A: 4,
    'B+': 3.5,
    B: 3,
    'C+': 2.5,
    C: 2,
    'D+': 1.5,
    D: 1,
    F: 0,
  });
});

test('gradeLetter is the inverse of gradePoints', () => {
  expect(GRADE_LETTERS.map((letter) => gradeLetter(gradePoints(letter)))).toEqual([...GRADE_LETTERS]);
});

test.each([0.5, -1, 3.7, 4.5, Number.NaN])('gradeLetter returns undefined for %s', (points) => {
  expect(gradeLetter(points)).toBeUndefined();
});
