import type { PolicyRules } from '../grading/policy.ts';
import { BOUNDARY_LETTERS } from '../grading/policy-text.ts';
import { hasTwoDecimals, inHundredths } from '../hundredths.ts';
import { atDeviations, type SheetRow, sumTotals, totalsInStatistics } from './class-statistics.ts';

/** Boundaries farther from the total's range are mistakes. */
const BOUNDARY_RANGE = { min: -1000, max: 1000 } as const;

/** How far a boundary may move to a gap, in hundredths. */
const SNAP_DISTANCE = 150;

/** The rules that boundaries follow from. Those of a sheet take the place of those of its policy. */
export type BoundaryRules = Pick<
  PolicyRules,
  'grading_method' | 'absolute_boundaries' | 'k' | 'quotas' | 'relative_min' | 'boundary_step'
>;

/** Exactly one of the two is given. */
export interface ProposedBoundaries {
  /**
   * The lowest total of each of the letters A to D, at most two decimals, strictly falling. Above 100 nobody gets the
   * letter; at or below 0 everybody who is not better.
   */
  boundaries: number[] | null;
  /** Why the class can't be graded by this method, as a sentence. */
  refused: string | null;
}

const isFalling = (values: readonly number[]) =>
  values.every((value, i) => i === 0 || value < (values[i - 1] ?? 0));

/**
 * The fault of boundaries that were moved by hand, or undefined. The text continues "The boundaries ". Values
 * outside 0 to 100 are allowed, since a method can lead to them.
 */
export function boundariesFault(boundaries: readonly number[]): string | undefined {
  const { min, max } = BOUNDARY_RANGE;
  if (boundaries.length !== BOUNDARY_LETTERS.length) return 'must be seven numbers, for the letters A to D.';
  if (!boundaries.every((one) => one >= min && one <= max && hasTwoDecimals(one))) {
    return `must be ${min} to ${max} with at most two decimals.`;
  }
  return isFalling(boundaries.map(inHundredths)) ? undefined : 'must fall from A to D.';
}

/** A boundary that was moved by hand. */
export interface MovedBoundary {
  letter: (typeof BOUNDARY_LETTERS)[number];
  proposed: number;
  final: number;
}

export function movedBoundaries(proposed: readonly number[], final: readonly number[]): MovedBoundary[] {
  return BOUNDARY_LETTERS.flatMap((letter, i) => {
    const [before, after] = [proposed[i], final[i]];
    if (before === undefined || after === undefined || inHundredths(before) === inHundredths(after))
      return [];
    return { letter, proposed: before, final: after };
  });
}

/** Methods by which the letters depend on the totals of the class. */
export const isRelative = ({ grading_method }: Pick<PolicyRules, 'grading_method'>): boolean =>
  grading_method !== 'absolute';

/**
 * The boundaries of a class by the method of the rules.
 *
 * - `absolute`: as the rules say, for any class
 * - `mean-sd`: mean + k × standard deviation of the population, rounded half up to the step
 * - `quantile`: see {@link quantileBoundaries}
 * - `gap`: those of `mean-sd`, each moved to a total near it with nobody close below; see {@link gapBoundaries}
 *
 * A class of fewer than `relative_min` students, or with equal totals only, is graded by `absolute` only. Guards come
 * after the boundaries (`letters.ts`), which they leave as they are.
 */
export function proposeBoundaries(rows: readonly SheetRow[], rules: BoundaryRules): ProposedBoundaries {
  if (!isRelative(rules)) return { boundaries: [...rules.absolute_boundaries], refused: null };
  const refuse = (refused: string): ProposedBoundaries => ({ boundaries: null, refused });

  const totals = totalsInStatistics(rows);
  if (totals.length < rules.relative_min) {
    return refuse(
      `A class is graded relatively from ${rules.relative_min} students with a total on; this one has ${totals.length}.`,
    );
  }
  if (totals.length === 0 || totals[0] === totals.at(-1)) {
    return refuse('All totals are equal, so the class has no spread to grade by.');
  }
  const boundaries = relativeBoundaries(totals, rules);
  if (boundaries === undefined || !isFalling(boundaries)) {
    return refuse(
      `The totals are too close together for seven boundaries in steps of ${rules.boundary_step}.`,
    );
  }
  return { boundaries: boundaries.map((one) => one / 100), refused: null };
}

/** @param totals in hundredths, highest first, not all equal */
function relativeBoundaries(totals: readonly number[], rules: BoundaryRules): number[] | undefined {
  const step = inHundredths(rules.boundary_step);
  if (rules.grading_method === 'quantile') {
    // One hundredth where a step would reach the letter above.
    return [step, 1].map((own) => quantileBoundaries(totals, rules.quotas, own)).find(isFalling);
  }
  const sums = sumTotals(totals);
  const computed = rules.k.map((k) => atDeviations(sums, k, step));
  return rules.grading_method === 'gap' && isFalling(computed) ? gapBoundaries(computed, totals) : computed;
}

/**
 * At most ⌊(q_A + … + q_L) × n⌋ students have letter L or better. Equal totals get equal letters, so where they cross that
 * limit, none of them does. The boundary is the lowest total that fits. A letter that nobody gets begins one step above the
 * highest total left, two such letters in a row one step apart; with no total left, steps below the lowest.
 *
 * @param totals in hundredths, highest first
 * @param quotas shares of the class, two decimals
 * @param step in hundredths
 * @returns hundredths, from A on; not falling where totals leave no room for a letter that nobody gets
 */
function quantileBoundaries(totals: readonly number[], quotas: readonly number[], step: number): number[] {
  const n = totals.length;
  let share = 0;
  // How many have each letter or a better one. Shares are added as whole hundredths: 0.29 of 100 students are 29.
  const counts = quotas.map((quota) => {
    share += inHundredths(quota);
    let count = Math.min(Math.floor((share * n) / 100), n);
    while (count > 0 && totals[count - 1] === totals[count]) count -= 1;
    return count;
  });
  const emptyAtEnd = counts.filter((count) => count === n).length - 1;
  const belowAll = (totals[n - 1] ?? 0) - step * (emptyAtEnd + 1);
  const boundaries: number[] = [];
  for (const [i, count] of [...counts.entries()].toReversed()) {
    const isEmpty = count === (counts[i - 1] ?? 0);
    const isNextEmpty = counts[i + 1] === count;
    const left = (isNextEmpty ? boundaries[0] : totals[count]) ?? belowAll;
    boundaries.unshift(isEmpty ? left + step : (totals[count - 1] ?? left));
  }
  return boundaries;
}

/**
 * Each boundary moved to the total within 1.5 marks that has the largest gap under it; of equal gaps the nearer total, then
 * the higher. Under the lowest total the gap reaches to 0. Where two boundaries would meet or change places, each stays
 * between those of its neighbours.
 *
 * @param computed falling, in hundredths
 * @param totals in hundredths, highest first
 */
function gapBoundaries(computed: readonly number[], totals: readonly number[]): number[] {
  const free = computed.map((boundary) => snap(boundary, totals, -Infinity, Infinity));
  if (isFalling(free)) return free;
  const moved: number[] = [];
  for (const [i, boundary] of computed.entries()) {
    moved.push(snap(boundary, totals, computed[i + 1] ?? -Infinity, moved.at(-1) ?? Infinity));
  }
  return moved;
}

/** The total that a boundary moves to, between two limits, or the boundary where there is none. */
function snap(boundary: number, totals: readonly number[], below: number, above: number): number {
  let best: { total: number; gap: number; distance: number } | undefined;
  for (const [i, total] of totals.entries()) {
    const next = totals[i + 1] ?? 0;
    const distance = Math.abs(total - boundary);
    // Of equal totals only the last has the gap under it.
    if (next === total || distance > SNAP_DISTANCE || total <= below || total >= above) continue;
    const gap = total - next;
    // The higher of two comes first, and stays the best where all is equal.
    if (best === undefined || gap > best.gap || (gap === best.gap && distance < best.distance)) {
      best = { total, gap, distance };
    }
  }
  return best?.total ?? boundary;
}
