import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRADE_LETTERS, gradePoints } from '../grading/gpa.ts';
import { DEFAULT_RULES, GRADING_METHODS, type PolicyRules } from '../grading/policy.ts';
import { boundariesFault, proposeBoundaries } from './boundaries.ts';
import type { SheetRow } from './class-statistics.ts';
import { gradeClass, letterForTotal } from './letters.ts';

const toRows = (totals: readonly number[]): SheetRow[] =>
  totals.map((total, i) => ({ student_id: `S-${i}`, status: 'graded', total, isAbsent: false }));

const RELATIVE: PolicyRules = { ...DEFAULT_RULES, grading_method: 'mean-sd', pass_floor: null };
const thirty = [
  ...[95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74, 73, 72, 71],
  ...[70, 69, 68, 66, 65, 63, 61, 60, 58, 55, 52, 49, 44, 38, 24],
];
const PROPOSED = [82.38, 74.5, 66.62, 58.74, 50.86, 42.98, 35.11];
const BY_HAND = [82, 74, 66, 58, 50.86, 42.98, 35.11];

/** A, B+, B, C+, C, D+, D, F. */
const countLetters = (...args: Parameters<typeof gradeClass>) => Object.values(gradeClass(...args).counts);

describe('a class of thirty', () => {
  test('has 5 6 7 5 3 2 1 1 letters and mean points of 2.82 by the proposed boundaries', () => {
    expect(proposeBoundaries(toRows(thirty), RELATIVE).boundaries).toEqual(PROPOSED);
    expect(gradeClass(toRows(thirty), PROPOSED, RELATIVE)).toMatchObject({
      counts: { A: 5, 'B+': 6, B: 7, 'C+': 5, C: 3, 'D+': 2, D: 1, F: 1 },
      shares: { A: 0.17, 'B+': 0.2, B: 0.23, 'C+': 0.17, C: 0.1, 'D+': 0.07, D: 0.03, F: 0.03 },
      mean_points: 2.82,
      warnings: [],
    });
  });

  test('has no D, two F and mean points of 2.78 with a floor of 40', () => {
    const rules = { ...RELATIVE, pass_floor: 40 };
    expect(countLetters(toRows(thirty), PROPOSED, rules)).toEqual([5, 6, 7, 5, 3, 2, 0, 2]);
    expect(gradeClass(toRows(thirty), PROPOSED, rules).mean_points).toBe(2.78);
  });

  test('has 6 6 7 5 2 2 1 1 letters and mean points of 2.88 with four boundaries moved by hand', () => {
    expect(countLetters(toRows(thirty), BY_HAND, RELATIVE)).toEqual([6, 6, 7, 5, 2, 2, 1, 1]);
    expect(gradeClass(toRows(thirty), BY_HAND, RELATIVE).mean_points).toBe(2.88);
  });

  test('has 82, 74, 66 and 58 less than 1 below a boundary', () => {
    const { borderline } = gradeClass(toRows(thirty), PROPOSED, RELATIVE);
    expect(
      borderline.map(({ total, letter, next_letter, short_by }) => [total, letter, next_letter, short_by]),
    ).toEqual([
      [82, 'B+', 'A', 0.38],
      [74, 'B', 'B+', 0.5],
      [66, 'C+', 'B', 0.62],
      [58, 'C', 'C+', 0.74],
    ]);
  });

  test('has nobody borderline by boundaries that are totals', () => {
    expect(gradeClass(toRows(thirty), BY_HAND, RELATIVE).borderline).toEqual([]);
  });
});

describe('a small class', () => {
  test('of six has no A by mean and deviation: 91 is below 93.96', () => {
    const rows = toRows([91, 90, 89, 88, 87, 60]);
    const { boundaries } = proposeBoundaries(rows, { ...RELATIVE, relative_min: 2 });
    expect(countLetters(rows, boundaries ?? [], RELATIVE)[0]).toBe(0);
  });

  test('of five has one mark between two letters: 91 A, 90 B+, 89 B, 88 C, 87 D+', () => {
    const rows = toRows([91, 90, 89, 88, 87]);
    const { boundaries } = proposeBoundaries(rows, { ...RELATIVE, relative_min: 2 });
    expect([...gradeClass(rows, boundaries ?? [], RELATIVE).letters.values()]).toEqual([
      ...['A', 'B+', 'B', 'C', 'D+'],
    ]);
  });
});

describe('the letter of a total', () => {
  const letter = (total: number, guards: Partial<PolicyRules> = {}, boundaries = PROPOSED) =>
    letterForTotal(total, boundaries, { ...RELATIVE, ...guards });

  test('is the best whose boundary it reaches', () => {
    expect([100, 82.38, 82.37, 35.11, 35.1, 0].map((total) => letter(total))).toEqual([
      ...['A', 'A', 'B+', 'D', 'F', 'F'],
    ]);
  });

  test('of 65.30 is a C+, of 57.05 a C, and of 67.12 a B', () => {
    expect([65.3, 57.05, 67.12].map((total) => letter(total))).toEqual(['C+', 'C', 'B']);
  });

  test('of 76 is a C+ where B begins at 76.08, and a B where the step made that 76', () => {
    const from = (b: number) => [92, 84, b, 68, 60, 52, 44];
    expect([letter(76, {}, from(76.08)), letter(76, {}, from(76))]).toEqual(['C+', 'B']);
  });

  test('is never an A above 100, and at least a D where D begins below 0', () => {
    const boundaries = [103, 90, 80, 70, 60, 50, -4];
    expect([letter(100, {}, boundaries), letter(0, {}, boundaries)]).toEqual(['B+', 'D']);
  });

  test('is an F below the floor, whatever the boundaries are; a floor of 0 is off', () => {
    const low = [50, 45, 40, 35, 30, 25, 20];
    expect(letter(39.99, { pass_floor: 40 }, low)).toBe('F');
    expect(letter(40, { pass_floor: 40 }, low)).toBe('B');
    expect(letter(39.99, { pass_floor: 0 }, low)).toBe('C+');
  });

  test('is at least a D from the pass guarantee on, and an A from the A guarantee on', () => {
    const high = [98, 96, 94, 92, 90, 88, 86];
    const guards = { pass_guarantee: 50, a_guarantee: 90 };
    expect([49.99, 50, 87, 89, 89.99, 90].map((total) => letter(total, guards, high))).toEqual([
      ...['F', 'D', 'D', 'D+', 'D+', 'A'],
    ]);
  });

  test('keeps a guarantee below the floor', () => {
    expect(letter(37, { pass_floor: 40, pass_guarantee: 35 })).toBe('D');
  });
});

describe('borderline students', () => {
  const near = (total: number, guards: Partial<PolicyRules> = {}, boundaries = PROPOSED) =>
    gradeClass(toRows([total]), boundaries, { ...RELATIVE, ...guards }).borderline.map(
      ({ letter, next_letter, short_by }) => [letter, next_letter, short_by],
    );

  test('miss the next letter by less than 1', () => {
    expect(near(81.39)).toEqual([['B+', 'A', 0.99]]);
    expect(near(81.38)).toEqual([]);
    expect(near(100)).toEqual([]);
  });

  test('are measured against a floor, after which the best letter of those it joins comes next', () => {
    expect(near(39.5, { pass_floor: 40 })).toEqual([['F', 'D', 0.5]]);
    expect(near(39.5, { pass_floor: 40 }, [50, 45, 40, 35, 30, 25, 20])).toEqual([['F', 'B', 0.5]]);
  });

  test('are none below a letter that nobody can reach', () => {
    expect(near(100, {}, [100.5, 90, 80, 70, 60, 50, 40])).toEqual([]);
    expect(near(99.5, {}, [100, 90, 80, 70, 60, 50, 40])).toEqual([['B+', 'A', 0.5]]);
  });
});

describe('a warning', () => {
  /** The warnings for n students with so many A and F; the others get a C. */
  const getWarnings = (n: number, a: number, f: number, rules: Partial<PolicyRules> = {}) =>
    gradeClass(
      toRows([
        ...Array<number>(a).fill(90),
        ...Array<number>(f).fill(10),
        ...Array<number>(n - a - f).fill(52),
      ]),
      PROPOSED,
      { ...RELATIVE, ...rules },
    ).warnings;

  test('on F comes from the fifth of 30 and the seventh of 41 on: ⌊15 % × n⌋ are allowed', () => {
    expect(getWarnings(30, 0, 4)).toEqual([]);
    expect(getWarnings(30, 0, 5)).toEqual([
      { rule: 'max-f-share', text: '5 of 30 students have an F; more than 4 (15 %) need a reason.' },
    ]);
    expect(getWarnings(41, 0, 6)).toEqual([]);
    expect(getWarnings(41, 0, 7).map(({ rule }) => rule)).toEqual(['max-f-share']);
  });

  test('on A comes above 20 %, by exact decimals', () => {
    expect(Math.floor(0.29 * 100)).toBe(28);
    expect(getWarnings(100, 29, 0, { max_a_share: 0.29 })).toEqual([]);
    expect(getWarnings(30, 7, 0)).toEqual([
      { rule: 'max-a-share', text: '7 of 30 students have an A; more than 6 (20 %) need a reason.' },
    ]);
    expect(getWarnings(1, 1, 0, { grading_method: 'absolute' })).toEqual([
      {
        rule: 'max-a-share',
        text: '1 of 1 student has an A; in a class this small (20 %) any A needs a reason.',
      },
    ]);
  });

  test('on the size comes for fewer than 30 students by a relative method only', () => {
    expect(getWarnings(29, 0, 0)).toEqual([
      {
        rule: 'relative-full',
        text: 'A class of fewer than 30 is graded relatively only for a reason; this one has 29 students with a total.',
      },
    ]);
    expect(getWarnings(30, 0, 0)).toEqual([]);
    expect(getWarnings(29, 0, 0, { grading_method: 'absolute' })).toEqual([]);
  });
});

describe('rows without a letter', () => {
  test('are in no figure, and a student absent throughout is an F but not in the size of the class', () => {
    const others: SheetRow[] = [
      { student_id: 'withdrawn', status: 'withdrawn', total: 95, isAbsent: false },
      { student_id: 'empty', status: 'graded', total: null, isAbsent: false },
      { student_id: 'absent', status: 'graded', total: 0, isAbsent: true },
    ];
    const graded = gradeClass([...toRows(thirty.slice(1)), ...others], PROPOSED, RELATIVE);
    expect(Object.values(graded.counts)).toEqual([4, 6, 7, 5, 3, 2, 1, 2]);
    expect(graded.letters.get('absent')).toBe('F');
    expect(graded.letters.has('withdrawn')).toBe(false);
    expect(graded.warnings.map(({ text }) => text)).toEqual([expect.stringContaining('29 students')]);
  });

  test('alone leave figures of nobody', () => {
    expect(gradeClass([], PROPOSED, { ...RELATIVE, grading_method: 'absolute' })).toMatchObject({
      counts: { A: 0, F: 0 },
      shares: { A: 0, F: 0 },
      mean_points: null,
      borderline: [],
      warnings: [],
    });
  });
});

describe('for any class, method and guards', () => {
  const totals = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
    ),
    { minLength: 2, maxLength: 60 },
  );
  const mark = fc.option(fc.integer({ min: 0, max: 100 }));
  const rules = fc
    .record({
      grading_method: fc.constantFrom(...GRADING_METHODS),
      boundary_step: fc.constantFrom(0.01, 0.5, 1),
      pass_floor: mark,
      pass_guarantee: mark,
      a_guarantee: mark,
      relative_min: fc.constant(2),
    })
    .map((own): PolicyRules => ({ ...DEFAULT_RULES, ...own }));
  const graded = (marks: readonly number[], own: PolicyRules) => {
    const rows = toRows(marks);
    const { boundaries } = proposeBoundaries(rows, own);
    return { rows, boundaries: boundaries ?? DEFAULT_RULES.absolute_boundaries };
  };

  test('equal totals get equal letters, and a higher one never a worse letter', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { rows, boundaries } = graded(marks, own);
        const { letters } = gradeClass(rows, boundaries, own);
        const points = marks
          .map((total, i) => ({ total, points: gradePoints(letters.get(`S-${i}`) ?? 'F') }))
          .toSorted((a, b) => a.total - b.total || a.points - b.points);
        for (const [i, one] of points.entries()) {
          const next = points[i + 1] ?? one;
          if (one.total === next.total) expect(next.points).toBe(one.points);
          else expect(next.points).toBeGreaterThanOrEqual(one.points);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('counts add up to the class, and the mean of the points follows from them', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { rows, boundaries } = graded(marks, own);
        const { counts, mean_points } = gradeClass(rows, boundaries, own);
        expect(Object.keys(counts)).toEqual([...GRADE_LETTERS]);
        expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(marks.length);
        const points = GRADE_LETTERS.reduce((sum, letter) => sum + gradePoints(letter) * counts[letter], 0);
        expect(Math.abs((mean_points ?? 0) - points / marks.length)).toBeLessThanOrEqual(0.005 + 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  test('the boundaries that are shown are those that grade, but for the guards', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const off = { ...own, pass_floor: null, pass_guarantee: null, a_guarantee: null };
        const { rows, boundaries } = graded(marks, off);
        // As they are shown: texts with two decimals.
        const shown = boundaries.map((one) => Number(one.toFixed(2)));
        expect(boundariesFault(shown)).toBeUndefined();
        const { letters } = gradeClass(rows, boundaries, off);
        for (const [i, total] of marks.entries()) {
          const reached = shown.filter((one) => total >= one).length;
          expect(letters.get(`S-${i}`)).toBe(GRADE_LETTERS[shown.length - reached]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('guards hold in order: floor, pass guarantee, A guarantee', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { boundaries } = graded(marks, own);
        const off = { pass_floor: null, pass_guarantee: null, a_guarantee: null };
        for (const total of marks) {
          let expected = letterForTotal(total, boundaries, off);
          if (total < (own.pass_floor ?? 0)) expected = 'F';
          if (total >= (own.pass_guarantee ?? 101) && expected === 'F') expected = 'D';
          if (total >= (own.a_guarantee ?? 101)) expected = 'A';
          expect(letterForTotal(total, boundaries, own)).toBe(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a borderline student with as much more as is missing has the next letter', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { rows, boundaries } = graded(marks, own);
        for (const { total, letter, next_letter, short_by } of gradeClass(rows, boundaries, own).borderline) {
          const letterWith = (hundredths: number) =>
            letterForTotal((Math.round(total * 100) + hundredths) / 100, boundaries, own);
          const missing = Math.round(short_by * 100);
          expect([letterWith(missing), letterWith(missing - 1)]).toEqual([next_letter, letter]);
          expect(missing).toBeGreaterThan(0);
          expect(missing).toBeLessThan(100);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the order of the rows makes no difference', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { rows, boundaries } = graded(marks, own);
        const forwards = gradeClass(rows, boundaries, own);
        const backwards = gradeClass(rows.toReversed(), boundaries, own);
        expect({
          ...backwards,
          letters: Object.fromEntries(backwards.letters),
          borderline: backwards.borderline.toReversed(),
        }).toEqual({ ...forwards, letters: Object.fromEntries(forwards.letters) });
      }),
    );
  });
});
