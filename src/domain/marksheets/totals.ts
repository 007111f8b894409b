import { hasTwoDecimals, inHundredths } from '../hundredths.ts';

/** A cell of a mark sheet: a mark, absent (`A`, counts 0), excused (`E`, is left out), or empty. */
export type Cell = number | 'A' | 'E' | null;

/** The cells of a row by component id; a component without one is empty. */
export type Cells = Readonly<Record<number, Cell | undefined>>;

/** Something that is marked, such as a quiz. */
export interface ComponentSetup {
  /** Missing until it is stored. */
  component_id?: number | undefined;
  /** Full marks: more than 0 to {@link MAX_FULL_MARKS}, at most two decimals. */
  max: number;
  /** Marks above the full marks count too. */
  bonus?: boolean | undefined;
}

export interface Component extends ComponentSetup {
  component_id: number;
}

/** Components with a common weight. */
export interface CategorySetup<Own extends ComponentSetup = ComponentSetup> {
  /** Percent of the total: more than 0 to 100, at most two decimals. Those of a sheet make 100. */
  weight: number;
  /** Only as many of the best components count; null for all. */
  best_of: number | null;
  components: readonly Own[];
}

/** The total of a row; exactly one of the two is given. */
export interface RowTotal {
  /** 0 to 100, two decimals; null while a cell is empty, or when every component is excused. */
  total: number | null;
  /** The score of the marks entered so far, and the part of the total that they make up: both 0 to 100 with two decimals. */
  so_far: { score: number; of: number } | null;
}

export const MAX_FULL_MARKS = 1000;

interface Entered {
  score: bigint;
  max: bigint;
}

/** The marks of a category in hundredths; excused components are left out. */
interface CategoryScore {
  weight: bigint;
  score: bigint;
  /** Full marks of the components that the score is of. */
  entered: bigint;
  /** Full marks of the components that count once all are entered. */
  max: bigint;
}

const sum = (numbers: readonly bigint[]) => numbers.reduce((total, one) => total + one, 0n);

/** Orders marks by percentage: a 40 of 50 is better than a 50 of 200. Compared as fractions, so exact. */
function bestFirst(a: Entered, b: Entered): number {
  const difference = b.score * a.max - a.score * b.max;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

function scoreCategory(
  { weight, best_of, components }: CategorySetup<Component>,
  cells: Cells,
): CategoryScore {
  const entered: Entered[] = [];
  const empty: bigint[] = [];
  for (const { component_id, max, bonus } of components) {
    const cell = cells[component_id] ?? null;
    const full = BigInt(inHundredths(max));
    if (cell === null) empty.push(full);
    else if (cell === 'A') entered.push({ score: 0n, max: full });
    else if (cell !== 'E') {
      const score = BigInt(inHundredths(cell));
      entered.push({ score: score > full && bonus !== true ? full : score, max: full });
    }
  }
  const places = Math.min(best_of ?? components.length, entered.length + empty.length);
  const counted = entered.toSorted(bestFirst).slice(0, places);
  const enteredMax = sum(counted.map(({ max }) => max));
  return {
    weight: BigInt(inHundredths(weight)),
    score: sum(counted.map(({ score }) => score)),
    entered: enteredMax,
    max: enteredMax + sum(empty.slice(0, places - counted.length)),
  };
}

/** Σ weight × part ÷ max over the categories, divided by their weights: 0 to 100 as whole hundredths, rounded half up. */
function weigh(categories: readonly CategoryScore[], part: 'score' | 'entered'): number {
  let [numerator, denominator] = [0n, 1n];
  for (const { weight, max, [part]: value } of categories) {
    numerator = numerator * max + weight * value * denominator;
    denominator *= max;
  }
  const divisor = denominator * sum(categories.map(({ weight }) => weight));
  const hundredths = (2n * 10_000n * numerator + divisor) / (2n * divisor);
  return Math.min(Number(hundredths), 10_000);
}

/**
 * The total of a row: Σ weight × (category score ÷ category maximum), an exact fraction, rounded once, half up, to
 * hundredths, and capped at 100.
 *
 * - An excused component is left out, so its weight goes to the rest of its category. The weight of a category without any
 *   other component goes to the other categories in proportion.
 * - Of a category with `best_of` the components with the best percentages count; excused ones are removed before.
 * - While a cell is empty there is no total but what is earned so far: a category counts with the share of its full marks
 *   that is entered. With the last cell, the score becomes the total.
 *
 * @param categories without {@link setupFaults}
 * @param cells without {@link markFault}
 */
export function totalRow(categories: readonly CategorySetup<Component>[], cells: Cells): RowTotal {
  const scores = categories.map((category) => scoreCategory(category, cells)).filter(({ max }) => max > 0n);
  if (scores.length === 0) return { total: null, so_far: { score: 0, of: 0 } };
  const score = weigh(scores, 'score') / 100;
  const isComplete = categories.every(({ components }) =>
    components.every(({ component_id }) => (cells[component_id] ?? null) !== null),
  );
  if (isComplete) return { total: score, so_far: null };
  return { total: null, so_far: { score, of: weigh(scores, 'entered') / 100 } };
}

/** Whether a student was absent from everything that was marked: a cell is `A`, and the others are `A` or `E`. */
export function isAbsentThroughout(categories: readonly CategorySetup<Component>[], cells: Cells): boolean {
  const all = categories.flatMap(({ components }) =>
    components.map(({ component_id }) => cells[component_id]),
  );
  return all.includes('A') && all.every((cell) => cell === 'A' || cell === 'E');
}

/**
 * The fault of a cell, or undefined. The text continues "The value ".
 *
 * @returns a fault for marks that are negative, finer than two decimals or above the full marks; with a bonus above
 * {@link MAX_FULL_MARKS}
 */
export function markFault(cell: Cell, { max, bonus }: ComponentSetup): string | undefined {
  if (typeof cell !== 'number') return undefined;
  const highest = bonus === true ? MAX_FULL_MARKS : max;
  if (cell >= 0 && cell <= highest && hasTwoDecimals(cell)) return undefined;
  return `must be a mark of 0 to ${highest} with at most two decimals, A, E or empty.`;
}

/** A fault of a set-up. The text continues "The ", the last name of the path and a space. */
export interface SetupFault {
  path: readonly (string | number)[];
  text: string;
}

/**
 * The fault of the categories of a sheet, or undefined. The components of a category with `best_of` have equal full marks: with
 * mixed ones a student with better marks could get less (canvas-lms#2299).
 *
 * @param rows cells that are entered already: full marks may not fall below a mark
 */
export function setupFaults(categories: readonly CategorySetup[], rows: readonly Cells[] = []): SetupFault[] {
  const faults = categories.flatMap((category, i) =>
    categoryFaults(category, rows).map(({ path, text }) => ({ path: ['categories', i, ...path], text })),
  );
  const weights = categories.reduce((total, { weight }) => total + inHundredths(weight), 0);
  if (weights === 10_000) return faults;
  return [
    { path: ['categories'], text: `must have weights that make 100; these make ${weights / 100}.` },
    ...faults,
  ];
}

function categoryFaults(
  { weight, best_of, components }: CategorySetup,
  rows: readonly Cells[],
): SetupFault[] {
  const faults: SetupFault[] = [];
  if (!(weight > 0 && weight <= 100 && hasTwoDecimals(weight))) {
    faults.push({
      path: ['weight'],
      text: 'must be more than 0 and at most 100, with at most two decimals.',
    });
  }
  if (components.length === 0) faults.push({ path: ['components'], text: 'must have at least one.' });
  else if (best_of !== null && !(Number.isInteger(best_of) && best_of >= 1 && best_of <= components.length)) {
    faults.push({ path: ['best_of'], text: `must be a whole number from 1 to ${components.length}.` });
  }
  if (best_of !== null && new Set(components.map(({ max }) => inHundredths(max))).size > 1) {
    faults.push({ path: ['components'], text: 'must have equal full marks where only the best count.' });
  }
  for (const [i, component] of components.entries()) {
    const text = fullMarksFault(component, rows);
    if (text !== undefined) faults.push({ path: ['components', i, 'max'], text });
  }
  return faults;
}

function fullMarksFault(
  { component_id, max, bonus }: ComponentSetup,
  rows: readonly Cells[],
): string | undefined {
  if (!(max > 0 && max <= MAX_FULL_MARKS && hasTwoDecimals(max))) {
    return `must be more than 0 and at most ${MAX_FULL_MARKS}, with at most two decimals.`;
  }
  if (component_id === undefined || bonus === true) return undefined;
  const highest = rows.reduce((most, cells) => {
    const cell = cells[component_id];
    return typeof cell === 'number' && cell > most ? cell : most;
  }, 0);
  return highest > max ? `must not be below ${highest}, the highest mark entered.` : undefined;
}
