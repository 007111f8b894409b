import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES, GRADING_METHODS } from '../grading/policy.ts';
import {
  type BoundaryRules,
  boundariesFault,
  isRelative,
  movedBoundaries,
  proposeBoundaries,
} from './boundaries.ts';
import type { SheetRow } from './class-statistics.ts';

const toRows = (totals: readonly number[]): SheetRow[] =>
  totals.map((total, i) => ({ student_id: `S-${i}`, status: 'graded', total, isAbsent: false }));

const propose = (totals: readonly number[], rules: Partial<BoundaryRules>) =>
  proposeBoundaries(toRows(totals), { ...DEFAULT_RULES, ...rules });

const thirty = [
  ...[95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74, 73, 72, 71],
  ...[70, 69, 68, 66, 65, 63, 61, 60, 58, 55, 52, 49, 44, 38, 24],
];
const SYMMETRIC = [1.5, 1, 0.5, 0, -0.5, -1, -1.5];

describe('boundaries by mean and standard deviation', () => {
  test('begin A at 82.38, where the deviation of a sample would begin it at 82.63', () => {
    const { boundaries } = propose(thirty, { grading_method: 'mean-sd' });
    expect(boundaries).toEqual([82.38, 74.5, 66.62, 58.74, 50.86, 42.98, 35.11]);
    const sample = Math.sqrt(thirty.reduce((sum, one) => sum + (one - 68.2) ** 2, 0) / 29);
    expect((68.2 + 0.9 * sample).toFixed(2)).toBe('82.63');
  });

  test('begin B at 76.08 with a symmetric k, and at 76 in steps of 0.5', () => {
    const rules = { grading_method: 'mean-sd', k: SYMMETRIC } as const;
    expect(propose(thirty, rules).boundaries?.[2]).toBe(76.08);
    expect(propose(thirty, { ...rules, boundary_step: 0.5 }).boundaries?.[2]).toBe(76);
  });

  test('of six students give nobody an A (93.96), and of five take one mark for two letters', () => {
    const rules = { grading_method: 'mean-sd', relative_min: 2 } as const;
    expect(propose([91, 90, 89, 88, 87, 60], rules).boundaries?.[0]).toBe(93.96);
    expect(propose([91, 90, 89, 88, 87], rules).boundaries).toEqual([
      90.27, 89.57, 88.86, 88.15, 87.44, 86.74, 86.03,
    ]);
  });

  test('above 100 and below 0 stay as computed', () => {
    const { boundaries } = propose([100, 100, 100, 0, 0, 0], {
      grading_method: 'mean-sd',
      k: [1.5, 1, 0.5, 0, -0.5, -1, -1.5],
      relative_min: 2,
    });
    expect(boundaries).toEqual([125, 100, 75, 50, 25, 0, -25]);
  });

  test('follow the totals in the statistics only', () => {
    const others: SheetRow[] = [
      { student_id: 'absent', status: 'graded', total: 0, isAbsent: true },
      { student_id: 'withdrawn', status: 'withdrawn', total: 5, isAbsent: false },
      { student_id: 'empty', status: 'graded', total: null, isAbsent: false },
    ];
    const rules = { ...DEFAULT_RULES, grading_method: 'mean-sd' } as const;
    expect(proposeBoundaries([...others, ...toRows(thirty)], rules)).toEqual(
      proposeBoundaries(toRows(thirty), rules),
    );
  });
});

describe('absolute boundaries', () => {
  test('are those of the rules for any class', () => {
    for (const totals of [[], [50], thirty]) {
      expect(propose(totals, {})).toEqual({ boundaries: [85, 80, 75, 70, 65, 60, 50], refused: null });
    }
  });
});

/** Shares for the first letters, as given; the other letters have none. */
const quotas = (...shares: readonly number[]) => [...shares, ...Array<number>(7 - shares.length).fill(0)];
const quantile = (totals: readonly number[], shares: readonly number[], step = 0.01) =>
  propose(totals, { grading_method: 'quantile', quotas: shares, relative_min: 2, boundary_step: step });

describe('boundaries by shares of the class', () => {
  const twenty = [93, 90, 88, 88, ...Array.from({ length: 16 }, (_, i) => 80 - i)];

  test('give two of twenty an A where at most 15 % may have it and the third and fourth are equal', () => {
    const { boundaries } = quantile(twenty, DEFAULT_RULES.quotas);
    // At most 3, 6, 10, 14, 17, 19 and 19 have A, B+ … D or better.
    expect(boundaries).toEqual([90, 79, 75, 71, 68, 66, 65.01]);
  });

  test('count shares in exact decimals: 29 of 100 students with 0.29', () => {
    expect(Math.floor(0.29 * 100)).toBe(28);
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(quantile(hundred, quotas(0.29)).boundaries?.[0]).toBe(72);
    // 0.1 + 0.2 + 0.4 are 0.7000000000000001, and 0.1 + 0.7 are 0.7999999999999999.
    expect(quantile(hundred, quotas(0.1, 0.7)).boundaries?.[1]).toBe(21);
  });

  test('are one step above the highest total left for a letter that nobody gets', () => {
    const totals = [90, 90, 80, 70, 60, 50, 40, 30, 20, 10];
    expect(quantile(totals, [0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1]).boundaries).toEqual([
      90.01, 80, 70, 60, 50, 40, 30,
    ]);
    expect(quantile(totals, [0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1], 0.5).boundaries?.[0]).toBe(90.5);
  });

  test('are one step apart for two such letters in a row', () => {
    const totals = [90, 90, 90, 80, 70, 60, 50, 40, 30, 20];
    expect(quantile(totals, [0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1]).boundaries).toEqual([
      90.02, 90.01, 80, 70, 60, 50, 40,
    ]);
  });

  test('go on in steps below the lowest total when all have a letter', () => {
    expect(quantile([90, 80, 70, 60], [0.25, 0.25, 0.25, 0.25, 0, 0, 0], 0.5).boundaries).toEqual([
      90, 80, 70, 60, 59.5, 59, 58.5,
    ]);
  });

  test('use hundredths where a step would reach the letter above', () => {
    const close = [90, 80, 70, 60, 50, 40, 39.8];
    expect(quantile(close, [0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0], 0.5).boundaries?.slice(5)).toEqual([
      40, 39.81,
    ]);
  });

  test('are refused where not even a hundredth fits between two totals', () => {
    expect(quantile([90, 80, 70, 60, 50, 40, 39.99], [0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0])).toEqual({
      boundaries: null,
      refused: 'The totals are too close together for seven boundaries in steps of 0.01.',
    });
  });
});

describe('boundaries moved to gaps', () => {
  const gap = (totals: readonly number[], k: readonly number[] = DEFAULT_RULES.k) =>
    propose(totals, { grading_method: 'gap', k, relative_min: 2 }).boundaries;

  test('are totals within 1.5 of those by mean and deviation that have the largest gap below', () => {
    // Near 82.38 is 82 alone; near 66.62, 68 has a gap of 2 below and 66 of 1; near 35.11 is nobody.
    expect(gap(thirty)).toEqual([82, 75, 68, 58, 52, 44, 35.11]);
  });

  test('take the nearer of equal gaps, then the higher', () => {
    // 73, 74, 75 and 76 have gaps of 1; B+ begins at 74.50, or at 74.35 with another k.
    const withK = (k: number) => gap(thirty, DEFAULT_RULES.k.with(1, k))?.[1];
    expect([withK(0.4), withK(0.39)]).toEqual([75, 74]);
  });

  test('reach down to 0 under the lowest total', () => {
    // Mean 50, deviation 10: D begins at 41.
    expect(gap([60, 60, 40, 40], [2, 1.9, 1.8, 1.7, 1.6, 1.5, -0.9])?.[6]).toBe(40);
  });

  test('move by 1.50 at most', () => {
    const k = [2, 1.9, 1.8, 0, -2, -2.1, -2.2];
    expect(gap([60, 51.5, 48.5, 40], k)?.[3]).toBe(48.5);
    expect(gap([60, 51.51, 48.49, 40], k)?.[3]).toBe(50);
  });

  test('move on their own, also past what was computed for the next letter', () => {
    const totals = [90, 80, 70, 60.6, 60, 59.4, 55.7, 55.3, 50, 40, 30];
    // Computed: 61.43 for A and 60.79 for B+.
    expect(gap(totals, [0.14, 0.1, -0.6, -1.1, -1.6, -2, -2.5])?.slice(0, 3)).toEqual([60.6, 59.4, 50]);
  });

  test('stay in order where two would move to one total', () => {
    // C at 47.79 and D+ at 46.79 are both near 46.9.
    expect(gap([53, 52, 51, 50, 49, 48.1, 46.9])).toEqual([52, 51, 50, 48.1, 46.9, 46.79, 45.78]);
    // A, B+ and B would move to 51, and C+, C and D+ to 47.
    expect(gap([54, 52, 51, 48, 48, 47])).toEqual([52, 51, 49.75, 48, 47, 45.97, 44.72]);
  });
});

describe('a class', () => {
  const relative = GRADING_METHODS.filter((grading_method) => isRelative({ grading_method }));

  test('has three relative methods', () => {
    expect(relative).toEqual(['mean-sd', 'quantile', 'gap']);
  });

  test.each(relative)('of fewer students than the rules ask for is refused by %s', (grading_method) => {
    expect(propose(thirty.slice(0, 9), { grading_method })).toEqual({
      boundaries: null,
      refused: 'A class is graded relatively from 10 students with a total on; this one has 9.',
    });
    expect(propose(thirty.slice(0, 10), { grading_method }).refused).toBeNull();
  });

  test.each(relative)('with equal totals only is refused by %s', (grading_method) => {
    expect(propose(Array<number>(30).fill(70), { grading_method })).toEqual({
      boundaries: null,
      refused: 'All totals are equal, so the class has no spread to grade by.',
    });
    expect(propose([], { grading_method, relative_min: 0 }).boundaries).toBeNull();
  });

  test.each(['mean-sd', 'gap'] as const)(
    'too close together for the step is refused by %s',
    (grading_method) => {
      const totals = [...Array<number>(15).fill(70), ...Array<number>(15).fill(70.5)];
      expect(propose(totals, { grading_method, boundary_step: 1 })).toEqual({
        boundaries: null,
        refused: 'The totals are too close together for seven boundaries in steps of 1.',
      });
    },
  );
});

describe('boundaries moved by hand', () => {
  test.each([
    ['in order', [82, 74, 66, 58, 50.86, 42.98, 35.11]],
    ['that nobody or everybody reaches', [103.2, 90, 80, 70, 60, 0, -12.5]],
  ])('%s have no fault', (_which, boundaries) => {
    expect(boundariesFault(boundaries)).toBeUndefined();
  });

  test.each([
    ['six numbers', [82, 74, 66, 58, 50, 42], 'must be seven numbers, for the letters A to D.'],
    ['two equal ones', [82, 82, 66, 58, 50, 42, 35], 'must fall from A to D.'],
    ['a rising one', [82, 74, 66, 67, 50, 42, 35], 'must fall from A to D.'],
    ['three decimals', [82.001, 74, 66, 58, 50, 42, 35], 'must be -1000 to 1000 with at most two decimals.'],
    ['no number', [Number.NaN, 74, 66, 58, 50, 42, 35], 'must be -1000 to 1000 with at most two decimals.'],
  ])('are refused with %s', (_what, boundaries, text) => {
    expect(boundariesFault(boundaries)).toBe(text);
  });

  test('are listed with the proposed ones', () => {
    const proposed = propose(thirty, { grading_method: 'mean-sd' }).boundaries ?? [];
    expect(movedBoundaries(proposed, [82, 74, 66.62, 58.74, 50.86, 42.98, 35.11])).toEqual([
      { letter: 'A', proposed: 82.38, final: 82 },
      { letter: 'B+', proposed: 74.5, final: 74 },
    ]);
    expect(movedBoundaries(proposed, proposed)).toEqual([]);
  });
});

describe('for any class and method', () => {
  const totals = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
    ),
    { minLength: 2, maxLength: 60 },
  );
  const rules = fc.record({
    grading_method: fc.constantFrom(...GRADING_METHODS),
    boundary_step: fc.constantFrom(0.01, 0.05, 0.5, 1, 5),
    quotas: fc
      .array(fc.integer({ min: 0, max: 14 }), { minLength: 7, maxLength: 7 })
      .map((shares) => shares.map((share) => share / 100)),
    relative_min: fc.constantFrom(2, 10),
  });

  test('boundaries are usable: seven, falling, of two decimals, or there is a reason', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { boundaries, refused } = propose(marks, own);
        expect(boundaries === null).toBe(refused !== null);
        if (boundaries === null) return;
        expect(boundariesFault(boundaries)).toBeUndefined();
        expect(boundaries.map((one) => Number(one.toFixed(2)))).toEqual(boundaries);
      }),
      { numRuns: 1000 },
    );
  });

  test('the order of the rows makes no difference', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        expect(propose(marks.toReversed(), own)).toEqual(propose(marks, own));
      }),
    );
  });

  test('at most ⌊share × n⌋ students have each letter or a better one by quantile, and one more total would not fit', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const { boundaries } = propose(marks, { ...own, grading_method: 'quantile' });
        const atLeast = (limit: number) => marks.filter((mark) => mark >= limit).length;
        let share = 0;
        for (const [i, boundary] of (boundaries ?? []).entries()) {
          share += Math.round((own.quotas[i] ?? 0) * 100);
          const allowed = Math.floor((share * marks.length) / 100);
          expect(atLeast(boundary)).toBeLessThanOrEqual(allowed);
          const left = marks.filter((mark) => mark < boundary);
          if (left.length > 0) expect(atLeast(Math.max(...left))).toBeGreaterThan(allowed);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('boundaries by gap are totals near those by mean and deviation, or the same', () => {
    fc.assert(
      fc.property(totals, rules, (marks, own) => {
        const computed = propose(marks, { ...own, grading_method: 'mean-sd' }).boundaries;
        const moved = propose(marks, { ...own, grading_method: 'gap' }).boundaries;
        expect(moved === null).toBe(computed === null);
        for (const [i, boundary] of (moved ?? []).entries()) {
          const before = computed?.[i] ?? Number.NaN;
          if (boundary === before) continue;
          expect(marks).toContain(boundary);
          expect(Math.round(Math.abs(boundary - before) * 100)).toBeLessThanOrEqual(150);
        }
      }),
      { numRuns: 500 },
    );
  });
});
