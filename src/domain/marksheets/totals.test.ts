import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CategorySetup,
  type Cell,
  type Cells,
  type Component,
  isAbsentThroughout,
  MAX_FULL_MARKS,
  markFault,
  setupFaults,
  totalRow,
} from './totals.ts';

type CategoryFigures = readonly [weight: number, maxima: readonly number[], best_of?: number];

/** Categories of components with ids 1, 2, … through all of them. */
function setUp(...categories: readonly CategoryFigures[]) {
  let id = 0;
  return categories.map(
    ([weight, maxima, best_of = null]): CategorySetup<Component> => ({
      weight,
      best_of,
      components: maxima.map((max) => {
        id += 1;
        return { component_id: id, max };
      }),
    }),
  );
}

/** Cells of the components 1, 2, … */
const toCells = (...cells: readonly Cell[]): Cells =>
  Object.fromEntries(cells.map((cell, i) => [i + 1, cell]));

/** Quizzes, assignments, two one-hour tests (OHT) and the final examination (ESE). */
const theory = setUp([10, [10, 10, 10, 10, 10], 4], [10, [20, 20, 20]], [15, [50]], [15, [50]], [50, [100]]);
const total = (categories: readonly CategorySetup<Component>[], ...cells: readonly Cell[]) =>
  totalRow(categories, toCells(...cells)).total;

const quizzes = [8, 6, 'A', 9, 7] as const;
const assignments = [18, 'E', 15] as const;

describe('the total of a row, compared with hand calculations', () => {
  test('is 7.50 + 8.25 + 9.30 + 8.25 + 32.00 = 65.30', () => {
    expect(totalRow(theory, toCells(...quizzes, ...assignments, 31, 27.5, 64))).toEqual({
      total: 65.3,
      so_far: null,
    });
  });

  test.each<[number, string, CategoryFigures, Cell[]]>([
    [
      7.5,
      'from the best four quizzes, of which the absent one is dropped',
      [10, [10, 10, 10, 10, 10], 4],
      [...quizzes],
    ],
    [6, 'from all five quizzes', [10, [10, 10, 10, 10, 10]], [...quizzes]],
    [8.25, 'from assignments, of which one is excused', [10, [20, 20, 20]], [...assignments]],
    [9.3, 'from 31 of 50', [15, [50]], [31]],
    [32, 'from 64 of 100', [50, [100]], [64]],
  ])('has %s %s', (marks, _what, category, cells) => {
    expect(total(setUp(category, [100 - category[0], [10]]), ...cells, 'A')).toBe(marks);
  });

  test('is 63.80 if all five quizzes count', () => {
    const all = theory.map((category) => ({ ...category, best_of: null }));
    expect(total(all, ...quizzes, ...assignments, 31, 27.5, 64)).toBe(63.8);
  });

  test('is 57.05 for a student absent from the second test', () => {
    expect(total(theory, ...quizzes, ...assignments, 31, 'A', 64)).toBe(57.05);
  });

  test('is 57.05 ÷ 85 % = 67.12 for a student excused from the second test', () => {
    expect(total(theory, ...quizzes, ...assignments, 31, 'E', 64)).toBe(67.12);
  });

  test('is rounded once, half up: three full thirds are 100, and 1 ÷ 8 is 0.13', () => {
    expect(total(setUp([33.33, [3]], [33.33, [3]], [33.34, [3]]), 3, 3, 3)).toBe(100);
    expect(total(setUp([50, [3]], [50, [3]]), 1, 1)).toBe(33.33);
    expect(total(setUp([1, [8]], [99, [10]]), 1, 0)).toBe(0.13);
    // Each part rounded on its own would give 0.01 + 0.01.
    expect(total(setUp([50, [100]], [50, [100]]), 0.01, 0.01)).toBe(0.01);
  });

  test('rounds a half up whose binary fraction is smaller: 1.005 is 1.01', () => {
    expect((1.005).toFixed(2)).toBe('1.00');
    expect(total(setUp([100, [200]]), 2.01)).toBe(1.01);
  });
});

describe('the best components', () => {
  test('are ranked by percentage: 40 of 50 stays and 50 of 200 is dropped (sakai#2783)', () => {
    expect(total(setUp([100, [50, 200], 1]), 40, 50)).toBe(80);
  });

  test('can not be of mixed full marks, by which a better student could get less (canvas-lms#2299)', () => {
    // Best 2 of 3 by percentage. Marks that are at least as good everywhere bring less.
    const mixed = setUp([100, [10, 10, 100], 2]);
    expect(total(mixed, 9, 8, 79)).toBe(85);
    expect(total(mixed, 9, 8, 81)).toBe(81.82);
    expect(setupFaults(mixed)).toEqual([
      {
        path: ['categories', 0, 'components'],
        text: 'must have equal full marks where only the best count.',
      },
    ]);
  });

  test('are all that are left when excused ones leave no more than count', () => {
    expect(total(setUp([100, [10, 10, 10], 2]), 'E', 5, 'E')).toBe(50);
    expect(total(setUp([100, [10, 10, 10], 2]), 'E', 5, 9)).toBe(70);
  });

  test('of equal full marks are those with the highest sum', () => {
    const marks = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(marks, fc.integer({ min: 1, max: 6 }), (hundredths, best) => {
        const count = Math.min(best, hundredths.length);
        const subsets = Array.from({ length: 2 ** hundredths.length }, (_, bits) =>
          hundredths.filter((__, i) => (bits & (1 << i)) !== 0),
        ).filter(({ length }) => length === count);
        const highest = Math.max(...subsets.map((own) => own.reduce((sum, one) => sum + one, 0)));
        const categories = setUp([100, hundredths.map(() => 10), count]);
        // Half up in whole numbers.
        expect(total(categories, ...hundredths.map((one) => one / 100))).toBe(
          Math.floor((20 * highest + count) / (2 * count)) / 100,
        );
      }),
    );
  });
});

describe('an excused component', () => {
  test('gives the weight of its category to the others in proportion: 20 : 60', () => {
    const three = setUp([20, [10]], [20, [10]], [60, [10]]);
    expect(total(three, 'E', 10, 0)).toBe(25);
    expect(total(three, 'E', 'E', 7)).toBe(70);
  });

  test('leaves no total when every component is excused', () => {
    expect(totalRow(setUp([100, [10, 10]]), toCells('E', 'E'))).toEqual({
      total: null,
      so_far: { score: 0, of: 0 },
    });
  });
});

describe('a bonus', () => {
  const withBonus = setUp([10, [10]], [90, [90]]).map((category) => ({
    ...category,
    components: category.components.map((one) => ({ ...one, bonus: one.component_id === 1 })),
  }));

  test('counts above the full marks, where another component is capped', () => {
    expect(total(withBonus, 15, 45)).toBe(60);
    expect(total(withBonus, 10, 95)).toBe(100);
    expect(total(setUp([10, [10]], [90, [90]]), 15, 45)).toBe(55);
  });

  test('never lifts a total above 100', () => {
    expect(total(withBonus, 15, 90)).toBe(100);
  });
});

describe('while cells are empty', () => {
  const soFar = (categories: readonly CategorySetup<Component>[], ...cells: readonly Cell[]) =>
    totalRow(categories, toCells(...cells)).so_far;

  test('there is no total but what is earned so far: 33.30 of 50', () => {
    expect(totalRow(theory, toCells(...quizzes, ...assignments, 31, 27.5, null))).toEqual({
      total: null,
      so_far: { score: 33.3, of: 50 },
    });
  });

  test('a category counts with the part that is entered: two of the best four quizzes are 5 of 10', () => {
    expect(soFar(theory, 8, 6)).toEqual({ score: 3.5, of: 5 });
    expect(soFar(setUp([40, [10, 30]], [60, [10]]), 5)).toEqual({ score: 5, of: 10 });
  });

  test('the weight of an excused category is with the others already: 25.05 and 35 of 85', () => {
    expect(soFar(theory, ...quizzes, ...assignments, 31, 'E')).toEqual({ score: 29.47, of: 41.18 });
  });

  test('nothing is 0 of 0, and a zero is entered', () => {
    expect(soFar(theory)).toEqual({ score: 0, of: 0 });
    expect(soFar(setUp([50, [10]], [50, [10]]), 0)).toEqual({ score: 0, of: 50 });
  });

  test('of the best is only one to come, all is counted and still no total', () => {
    expect(totalRow(setUp([100, [10, 10], 1]), toCells(4))).toEqual({
      total: null,
      so_far: { score: 40, of: 100 },
    });
  });
});

describe('a student', () => {
  test.each<[string, boolean, Cell[]]>([
    ['absent from everything', true, ['A', 'A', 'A']],
    ['absent from everything that was not excused', true, ['A', 'E', 'A']],
    ['excused from everything', false, ['E', 'E', 'E']],
    ['with a zero', false, ['A', 0, 'A']],
    ['with an empty cell', false, ['A', 'A', null]],
  ])('%s: absent throughout is %s', (_who, isAbsent, cells) => {
    expect(isAbsentThroughout(setUp([50, [10]], [50, [10, 10]]), toCells(...cells))).toBe(isAbsent);
  });
});

describe('a set-up', () => {
  const findFaults = (...categories: readonly CategoryFigures[]) => setupFaults(setUp(...categories));

  test('with weights that make 100 has no fault', () => {
    expect(setupFaults(theory)).toEqual([]);
    expect(
      findFaults([7.5, [10]], [7.5, [10]], [11.25, [10]], [11.25, [10]], [37.5, [10]], [25, [10]]),
    ).toEqual([]);
  });

  test('is refused with weights that make something else', () => {
    expect(findFaults([50, [10]], [45.5, [10]])).toEqual([
      { path: ['categories'], text: 'must have weights that make 100; these make 95.5.' },
    ]);
    expect(findFaults()).toEqual([
      { path: ['categories'], text: 'must have weights that make 100; these make 0.' },
    ]);
  });

  test.each([0, -10, 100.5, Number.NaN, 10.001])('is refused with the weight %s', (weight) => {
    expect(findFaults([weight, [10]], [100 - weight, [10]])).toContainEqual({
      path: ['categories', 0, 'weight'],
      text: 'must be more than 0 and at most 100, with at most two decimals.',
    });
  });

  test.each([0, -1, 0.001, 1000.01])('is refused with the full marks %s', (max) => {
    expect(findFaults([100, [10, max]])).toEqual([
      {
        path: ['categories', 0, 'components', 1, 'max'],
        text: 'must be more than 0 and at most 1000, with at most two decimals.',
      },
    ]);
  });

  test('is refused with a category without components', () => {
    expect(findFaults([50, []], [50, [10]])).toEqual([
      { path: ['categories', 0, 'components'], text: 'must have at least one.' },
    ]);
  });

  test.each([0, 3, 1.5])('is refused where the best %s of two count', (best_of) => {
    expect(findFaults([100, [10, 10], best_of])).toEqual([
      { path: ['categories', 0, 'best_of'], text: 'must be a whole number from 1 to 2.' },
    ]);
  });

  test('is refused with full marks below a mark that is entered, unless they have a bonus', () => {
    const rows = [toCells(12, 'A'), toCells(18.5, null), {}];
    expect(setupFaults(setUp([100, [15, 20]]), rows)).toEqual([
      {
        path: ['categories', 0, 'components', 0, 'max'],
        text: 'must not be below 18.5, the highest mark entered.',
      },
    ]);
    const [category] = setUp([100, [15, 20]]);
    const components = category?.components.map((one) => ({ ...one, bonus: true })) ?? [];
    expect(setupFaults([{ weight: 100, best_of: null, components }], rows)).toEqual([]);
  });

  test('needs no component ids', () => {
    expect(setupFaults([{ weight: 100, best_of: null, components: [{ max: 10 }] }], [toCells(12)])).toEqual(
      [],
    );
  });
});

describe('a cell', () => {
  test.each<Cell>([0, 20, 19.99, 'A', 'E', null])('takes %s of 20', (cell) => {
    expect(markFault(cell, { max: 20 })).toBeUndefined();
  });

  test.each([20.01, -1, 1.005, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s of 20', (mark) => {
    expect(markFault(mark, { max: 20 })).toBe(
      'must be a mark of 0 to 20 with at most two decimals, A, E or empty.',
    );
  });

  test('takes marks above the full ones with a bonus, up to a limit', () => {
    expect(markFault(25, { max: 20, bonus: true })).toBeUndefined();
    expect(markFault(MAX_FULL_MARKS + 1, { max: 20, bonus: true })).toContain('0 to 1000');
  });
});

describe('for any set-up and cells', () => {
  /** Whole weights that make 100, and full marks that are equal within a category. */
  const setups = fc
    .array(
      fc.record({
        share: fc.integer({ min: 1, max: 20 }),
        max: fc.integer({ min: 100, max: 20_000 }).map((hundredths) => hundredths / 100),
        count: fc.integer({ min: 1, max: 5 }),
        best: fc.option(fc.integer({ min: 1, max: 5 })),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((categories) => {
      const others = categories.slice(1).reduce((all, { share }) => all + share, 0);
      return setUp(
        ...categories.map(({ share, max, count, best }, i): CategoryFigures => {
          const weight = i === 0 ? 100 - others : share;
          const maxima = Array.from({ length: count }, () => max);
          return best === null ? [weight, maxima] : [weight, maxima, Math.min(best, count)];
        }),
      );
    });
  const kinds = fc.array(
    fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom<Cell>('A', 'E', null)),
    {
      minLength: 25,
      maxLength: 25,
    },
  );
  const fill = (categories: readonly CategorySetup<Component>[], kind: readonly Cell[]): Cells =>
    Object.fromEntries(
      categories.flatMap(({ components }) =>
        components.map(({ component_id, max }): [number, Cell] => {
          const cell = kind[component_id - 1] ?? null;
          return [component_id, typeof cell === 'number' ? Math.floor(cell * max * 100) / 100 : cell];
        }),
      ),
    );

  /** Like the product’s, with one fraction for each component and without best-of. */
  function exactHundredths(categories: readonly CategorySetup<Component>[], cells: Cells): bigint {
    let [numerator, denominator, weights] = [0n, 1n, 0n];
    for (const { weight, components } of categories) {
      const live = components.filter(({ component_id }) => cells[component_id] !== 'E');
      if (live.length === 0) continue;
      weights += BigInt(weight);
      for (const { component_id, max } of live) {
        const cell = cells[component_id];
        const divisor = BigInt(Math.round(max * 100)) * BigInt(live.length);
        const marks = typeof cell === 'number' ? BigInt(Math.round(cell * 100)) : 0n;
        numerator = numerator * divisor + BigInt(weight) * marks * denominator;
        denominator *= divisor;
      }
    }
    return (20_000n * numerator + denominator * weights) / (2n * denominator * weights);
  }

  test('the total is the exact fraction, rounded half up', () => {
    fc.assert(
      fc.property(setups, kinds, (categories, kind) => {
        const all = categories.map((category) => ({ ...category, best_of: null }));
        const cells = fill(
          all,
          kind.map((cell) => cell ?? 'A'),
        );
        const { total: own } = totalRow(all, cells);
        fc.pre(own !== null);
        expect(BigInt(Math.round((own ?? 0) * 100))).toBe(exactHundredths(all, cells));
      }),
      { numRuns: 500 },
    );
  });

  test('a better mark never brings a lower total', () => {
    fc.assert(
      fc.property(setups, kinds, fc.nat(24), (categories, kind, position) => {
        const cells = fill(
          categories,
          kind.map((cell) => cell ?? 'A'),
        );
        const raised = categories
          .flatMap(({ components }) => components)
          .find(({ component_id }) => component_id === position + 1);
        fc.pre(raised !== undefined && cells[position + 1] !== 'E');
        const better = { ...cells, [position + 1]: raised?.max ?? 0 };
        expect(totalRow(categories, better).total).toBeGreaterThanOrEqual(
          totalRow(categories, cells).total ?? 0,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('total and score are 0 to 100 with two decimals, and the score is at most what it is of', () => {
    fc.assert(
      fc.property(setups, kinds, (categories, kind) => {
        const { total: own, so_far } = totalRow(categories, fill(categories, kind));
        expect(own === null).toBe(so_far !== null);
        const score = own ?? so_far?.score ?? Number.NaN;
        expect(Number(score.toFixed(2))).toBe(score);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(so_far?.of ?? 100);
        expect(so_far?.of ?? 100).toBeLessThanOrEqual(100);
      }),
      { numRuns: 500 },
    );
  });

  test('categories and components may stand in any order', () => {
    fc.assert(
      fc.property(setups, kinds, (categories, kind) => {
        const cells = fill(categories, kind);
        const reversed = categories
          .toReversed()
          .map((category) => ({ ...category, components: category.components.toReversed() }));
        expect(totalRow(reversed, cells)).toEqual(totalRow(categories, cells));
      }),
    );
  });
});
