import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDegree, type DegreeSubject, planCgpa } from './degree.ts';
import { average } from './gpa.ts';
import { DEFAULT_RULES } from './policy.ts';

describe('the plan for a target CGPA', () => {
  test('of 3.00 with 88 credit hours, 251 points and 48 hours to come needs 3.27, which no one reaches', () => {
    const done = { credits: 88, halfPoints: 502 };
    expect(average(done)).toBe(2.85);
    expect(planCgpa(done, 3, 48)).toEqual({ needed: 3.27, best_possible: 3.26, possible: true });
  });

  test('of 3.00 with 120 credit hours, 330 points and 16 hours to come needs 4.88, which is impossible', () => {
    expect(planCgpa({ credits: 120, halfPoints: 660 }, 3, 16)).toEqual({
      needed: 4.88,
      best_possible: 2.9,
      possible: false,
    });
  });

  test('needs nothing when the target is reached whatever comes', () => {
    expect(planCgpa({ credits: 130, halfPoints: 1040 }, 2, 6)).toEqual({
      needed: 0,
      best_possible: 4,
      possible: true,
    });
  });

  test('is possible when the best CGPA only prints the target', () => {
    // 399 + 4 = 403 ÷ 101 = 3.9901, printed 3.99; 4.03 would be needed.
    const done = { credits: 100, halfPoints: 798 };
    expect(planCgpa(done, 3.99, 1)).toEqual({ needed: 3.99, best_possible: 3.99, possible: true });
    expect(planCgpa({ credits: 100, halfPoints: 797 }, 3.99, 1)).toEqual({
      needed: 4.49,
      best_possible: 3.99,
      possible: true,
    });
  });

  test('with no credit hours left is the present CGPA', () => {
    expect(planCgpa({ credits: 136, halfPoints: 680 }, 3, 0)).toEqual({
      needed: null,
      best_possible: 2.5,
      possible: false,
    });
    expect(planCgpa({ credits: 136, halfPoints: 680 }, 2.5, 0)).toMatchObject({ needed: 0, possible: true });
  });

  test('reaches the target with the needed average, for any record', () => {
    const grades = fc
      .integer({ min: 1, max: 140 })
      .chain((credits) =>
        fc.record({ credits: fc.constant(credits), halfPoints: fc.integer({ min: 0, max: credits * 8 }) }),
      );
    fc.assert(
      fc.property(
        grades,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 140 }),
        (done, target, left) => {
          const { needed } = planCgpa(done, target / 100, left);
          const exact = (2 * (target / 100) * (done.credits + left) - done.halfPoints) / 2 / left;
          expect(Math.abs(Math.max(0, exact) - (needed ?? Number.NaN))).toBeLessThanOrEqual(0.005 + 1e-9);
        },
      ),
    );
  });
});

describe('the degree check', () => {
  const subjects = (...all: readonly Partial<DegreeSubject>[]) =>
    all.map(
      (one, i): DegreeSubject => ({
        semester: 1 + (i % 8),
        slot: 1 + Math.floor(i / 8),
        course_id: 100 + i,
        credits: 6,
        points: 3,
        ungraded: null,
        ...one,
      }),
    );
  const full = () => subjects(...Array.from({ length: 23 }, () => ({})));
  const states = (semesters: number, all: readonly DegreeSubject[]) => {
    const { passed, lines } = checkDegree(semesters, all, DEFAULT_RULES);
    return [passed, Object.fromEntries(lines.map(({ rule, state }) => [rule, state]))];
  };
  const passes = {
    semesters: 'pass',
    credits: 'pass',
    cgpa: 'pass',
    'no-fails': 'pass',
    'no-incomplete': 'pass',
    linked: 'pass',
  };

  test('passes a record of eight semesters, 138 credit hours and CGPA 3.00', () => {
    expect(states(8, full())).toEqual([true, passes]);
  });

  test('fails while a semester, credit hours or the CGPA are missing, with the figures', () => {
    const { passed, lines } = checkDegree(7, subjects({ points: 1 }), DEFAULT_RULES);
    expect(passed).toBe(false);
    expect(lines.slice(0, 3)).toEqual([
      { rule: 'semesters', state: 'fail', text: '7 of 8 semesters are recorded.' },
      { rule: 'credits', state: 'fail', text: '6 credit hours earned of 136.' },
      { rule: 'cgpa', state: 'fail', text: 'CGPA 1.00, 2.00 is needed.' },
    ]);
  });

  test('fails for an F until the course is passed later', () => {
    const failed = { semester: 3, slot: 9, course_id: 900, points: 0 };
    expect(states(8, [...full(), ...subjects(failed)])).toEqual([false, { ...passes, 'no-fails': 'fail' }]);
    const cleared = [...full(), ...subjects(failed, { ...failed, semester: 5, points: 1 })];
    expect(states(8, cleared)).toEqual([true, passes]);
    const failedAgain = [...full(), ...subjects({ ...failed, semester: 1, points: 2 }, failed)];
    expect(states(8, failedAgain)).toEqual([false, { ...passes, 'no-fails': 'fail' }]);
  });

  test('fails for a subject without a grade', () => {
    const all = [...full(), ...subjects({ semester: 8, slot: 10, points: null })];
    expect(states(8, all)).toEqual([false, { ...passes, 'no-incomplete': 'fail' }]);
  });

  test.each(['withdrawn', 'excused'] as const)('needs no grade in a course that was %s', (ungraded) => {
    const closed = { semester: 8, slot: 10, points: null, ungraded };
    const all = [...full(), ...subjects(closed, { ...closed, slot: 9 })];
    expect(states(8, all)).toEqual([true, passes]);
    expect(checkDegree(8, all, DEFAULT_RULES).lines[4]?.text).toBe(
      'No grade is missing: 2 subjects were withdrawn, excused or graded later (semester 8 slot 10, semester 8 slot 9).',
    );
  });

  test('fails for an incomplete course until it is graded later', () => {
    const incomplete = {
      semester: 3,
      slot: 9,
      course_id: 900,
      points: null,
      ungraded: 'incomplete',
    } as const;
    const graded = { ...incomplete, points: 2, ungraded: null };
    const open = [...full(), ...subjects(incomplete, { ...graded, semester: 1 })];
    expect(states(8, open)).toEqual([false, { ...passes, 'no-incomplete': 'fail' }]);
    expect(states(8, [...full(), ...subjects(incomplete, { ...graded, semester: 5 })])).toEqual([
      true,
      passes,
    ]);
    const unlinked = [incomplete, { ...graded, semester: 5 }].map((one) => ({ ...one, course_id: null }));
    expect(states(8, [...full(), ...subjects(...unlinked)])).toEqual([
      false,
      { ...passes, 'no-incomplete': 'fail', linked: 'unknown' },
    ]);
  });

  test('can not be known while a graded subject has no course ID', () => {
    const all = [...full(), ...subjects({ semester: 8, slot: 10, course_id: null })];
    expect(states(8, all)).toEqual([null, { ...passes, linked: 'unknown' }]);
    expect(checkDegree(8, all, DEFAULT_RULES).lines.at(-1)?.text).toBe(
      "1 graded subject without a course ID, so repeats of it can't be found: semester 8 slot 10.",
    );
  });
});
