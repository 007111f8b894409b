import type { MethodParams, Sheet } from '../../../../contract/marksheets/sheets.ts';
import { GRADE_LETTERS, type GradeLetter } from '../../../../domain/grading/gpa.ts';
import type { GradingMethod, PolicyRules } from '../../../../domain/grading/policy.ts';
import { inHundredths } from '../../../../domain/hundredths.ts';
import {
  type BoundaryRules,
  type ProposedBoundaries,
  proposeBoundaries,
} from '../../../../domain/marksheets/boundaries.ts';
import type { SheetRow } from '../../../../domain/marksheets/class-statistics.ts';
import { isAbsentThroughout } from '../../../../domain/marksheets/totals.ts';

/** How the totals of a sheet become letters. */
export interface Scheme {
  method: GradingMethod;
  /** The rules of the policy hold where one is missing. */
  params: MethodParams;
  step: number;
  /** The lowest totals of A to D; null where the class can't be graded by the method. */
  boundaries: readonly number[] | null;
}

/** The rows of a sheet as the rules of grading take them. */
export const toSheetRows = (sheet: Pick<Sheet, 'categories' | 'rows'>): SheetRow[] =>
  sheet.rows.map(({ student_id, status, total, cells }) => ({
    student_id,
    status,
    total,
    isAbsent: isAbsentThroughout(sheet.categories, cells),
  }));

/** The rules of the policy with those that the scheme puts in their place. */
export const schemeRules = (
  { method, params, step }: Omit<Scheme, 'boundaries'>,
  rules: PolicyRules,
): BoundaryRules => ({
  grading_method: method,
  absolute_boundaries: params.boundaries ?? rules.absolute_boundaries,
  k: params.k ?? rules.k,
  quotas: params.quotas ?? rules.quotas,
  relative_min: rules.relative_min,
  boundary_step: step,
});

export const proposeFor = (
  rows: readonly SheetRow[],
  scheme: Omit<Scheme, 'boundaries'>,
  rules: PolicyRules,
): ProposedBoundaries => proposeBoundaries(rows, schemeRules(scheme, rules));

export type GradedSheet = Pick<Sheet, 'method' | 'params' | 'step' | 'boundaries' | 'boundaries_stored'>;

/** The scheme that a sheet has: the stored boundaries, or until there are some those that its method leads to. */
export function sheetScheme(sheet: GradedSheet, rows: readonly SheetRow[], rules: PolicyRules): Scheme {
  const { method, params, step } = sheet;
  const boundaries = sheet.boundaries_stored
    ? sheet.boundaries
    : proposeFor(rows, { method, params, step }, rules).boundaries;
  return { method, params, step, boundaries };
}

export const hasSameBoundaries = (a: Scheme['boundaries'], b: Scheme['boundaries']): boolean =>
  a === null || b === null
    ? a === b
    : a.length === b.length && a.every((one, i) => inHundredths(one) === inHundredths(b[i] ?? Number.NaN));

const sameNumbers = (a: readonly number[] | undefined, b: readonly number[] | undefined) =>
  (a ?? []).join() === (b ?? []).join();

export const isSameScheme = (a: Scheme, b: Scheme): boolean =>
  a.method === b.method &&
  a.step === b.step &&
  sameNumbers(a.params.k, b.params.k) &&
  sameNumbers(a.params.quotas, b.params.quotas) &&
  sameNumbers(a.params.boundaries, b.params.boundaries) &&
  hasSameBoundaries(a.boundaries, b.boundaries);

/**
 * Whether somebody has stored another scheme than `base`. While none is stored, the present one follows from the marks, so that
 * each new mark can change it.
 */
export const isOvertaken = (
  base: Scheme,
  { boundaries_stored }: Pick<Sheet, 'boundaries_stored'>,
  present: Scheme,
): boolean => boundaries_stored && !isSameScheme(base, present);

/** Dragging can set the A boundary so high that no total reaches it, and D so low that all do. */
const REACH = { min: 0, max: 100 } as const;

/**
 * From where to where a boundary can be moved so that all stay strictly falling. The first and the last may go one
 * step outside 0 to 100; one already further out stays.
 *
 * @param step at least 0.01
 */
export function boundaryLimits(
  boundaries: readonly number[],
  index: number,
  step: number,
): { min: number; max: number } {
  const [own = 0, above, below] = [boundaries[index], boundaries[index - 1], boundaries[index + 1]];
  const add = (value: number, difference: number) => inHundredths(value + difference) / 100;
  return {
    min: below === undefined ? Math.min(REACH.min, own) : Math.min(add(below, step), own),
    max: above === undefined ? Math.max(add(REACH.max, step), own) : Math.max(add(above, -step), own),
  };
}

/** The boundaries with one moved as near to a value as the others allow. */
export function moveBoundary(
  boundaries: readonly number[],
  index: number,
  to: number,
  step: number,
): readonly number[] {
  const { min, max } = boundaryLimits(boundaries, index, step);
  const value = inHundredths(Math.min(Math.max(to, min), max)) / 100;
  return value === boundaries[index] ? boundaries : boundaries.with(index, value);
}

/** The finest grain of a drag, which no pixel is finer than: a multiple of the step of at least a tenth of a mark. */
const DRAG_GRAIN = 0.1;

/** The boundary that a drag to a mark leads to. */
export function snapDrag(mark: number, step: number): number {
  const grain = inHundredths(step) * Math.ceil(inHundredths(DRAG_GRAIN) / inHundredths(step));
  return (Math.round((mark * 100) / grain) * grain) / 100;
}

/** Marks with two decimals, as totals have. */
export const markText = (mark: number): string => mark.toFixed(2).replace('-', '−');

/** Whether nobody or everybody gets a letter whose boundary is outside the possible totals; undefined for any other. */
export const beyondText = (boundary: number): 'nobody' | 'everybody' | undefined =>
  boundary > REACH.max ? 'nobody' : boundary <= REACH.min ? 'everybody' : undefined;

/** The boundary of a letter; F has none. */
export const findBoundary = (boundaries: readonly number[], letter: GradeLetter): number | undefined =>
  boundaries[GRADE_LETTERS.indexOf(letter)];
