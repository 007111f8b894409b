import { plural } from '../format-count.ts';
import { GRADE_LETTERS, type GradeLetter, gradePoints, roundHalfUp } from '../grading/gpa.ts';
import type { PolicyRules } from '../grading/policy.ts';
import { BOUNDARY_LETTERS } from '../grading/policy-text.ts';
import { inHundredths } from '../hundredths.ts';
import { isRelative } from './boundaries.ts';
import { rowsWithLetter, type SheetRow, totalsInStatistics } from './class-statistics.ts';

/** Rules that hold whatever the boundaries are. */
export type Guards = Pick<PolicyRules, 'pass_floor' | 'pass_guarantee' | 'a_guarantee'>;

/** A student who misses a better letter by less than 1. */
export interface BorderlineRow {
  student_id: string;
  total: number;
  letter: GradeLetter;
  next_letter: GradeLetter;
  /** More than 0, less than 1, two decimals. */
  short_by: number;
}

/** Something that needs a written reason. */
export interface LetterWarning {
  rule: 'max-a-share' | 'max-f-share' | 'relative-full';
  /** A sentence with the figures. */
  text: string;
}

/** The letters of a class by its boundaries. */
export interface ClassLetters {
  /** Letters by student id; only of rows that get one. */
  letters: ReadonlyMap<string, GradeLetter>;
  counts: Record<GradeLetter, number>;
  /** The share of the students with a letter that has each, 0 to 1, two decimals, half up; 0 when there are none. */
  shares: Record<GradeLetter, number>;
  /** Mean of the grade points, 0 to 4, two decimals, half up; null without letters. */
  mean_points: number | null;
  /** Borderline rows in the order of the rows. */
  borderline: BorderlineRow[];
  warnings: LetterWarning[];
}

const NO_STUDENTS: Readonly<Record<GradeLetter, number>> = {
  A: 0,
  'B+': 0,
  B: 0,
  'C+': 0,
  C: 0,
  'D+': 0,
  D: 0,
  F: 0,
};

/** Totals above this, in hundredths, can't be reached. */
const HIGHEST_TOTAL = 10_000;

/**
 * The lowest total, in hundredths, of each of the letters A to D once the guards hold: below the floor it is an F, then from
 * the pass guarantee on at least a D, then from the A guarantee on an A. A guarantee below the floor is kept.
 */
function lowestTotals(boundaries: readonly number[], guards: Guards): number[] {
  const floor = inHundredths(guards.pass_floor ?? 0);
  const pass = guards.pass_guarantee === null ? Infinity : inHundredths(guards.pass_guarantee);
  const best = guards.a_guarantee === null ? Infinity : inHundredths(guards.a_guarantee);
  return boundaries.map((boundary, i) => {
    const lowest = Math.max(inHundredths(boundary), floor);
    return Math.min(lowest, best, BOUNDARY_LETTERS[i] === 'D' ? pass : Infinity);
  });
}

const letterFrom = (hundredths: number, lowest: readonly number[]): GradeLetter =>
  BOUNDARY_LETTERS.find((_, i) => hundredths >= (lowest[i] ?? Infinity)) ?? 'F';

/**
 * The letter of a total: the best whose boundary it reaches, after the guards. It depends on nothing else, so boundaries
 * that were confirmed once give a later result the letter it would have had.
 *
 * @param total 0 to 100, two decimals
 * @param boundaries the lowest totals of A to D, as they are shown
 */
export const letterForTotal = (total: number, boundaries: readonly number[], guards: Guards): GradeLetter =>
  letterFrom(inHundredths(total), lowestTotals(boundaries, guards));

/** Students that a share allows: ⌊share × n⌋, so that 15 % of 41 is 6. */
const allowedStudents = (share: number, n: number) => Math.floor((inHundredths(share) * n) / 100);

/** The letters of a class and what can be said of them, for boundaries of any origin. */
export function gradeClass(
  rows: readonly SheetRow[],
  boundaries: readonly number[],
  rules: Guards & Pick<PolicyRules, 'grading_method' | 'relative_full' | 'max_a_share' | 'max_f_share'>,
): ClassLetters {
  const lowest = lowestTotals(boundaries, rules);
  const graded = rowsWithLetter(rows);
  const n = graded.length;
  const letters = new Map<string, GradeLetter>();
  const counts = { ...NO_STUDENTS };
  let halfPoints = 0;
  for (const { student_id, total } of graded) {
    const letter = letterFrom(inHundredths(total), lowest);
    letters.set(student_id, letter);
    counts[letter] += 1;
    halfPoints += 2 * gradePoints(letter);
  }
  const shares = { ...NO_STUDENTS };
  for (const letter of GRADE_LETTERS) shares[letter] = n === 0 ? 0 : roundHalfUp(counts[letter], n, 2) / 100;
  return {
    letters,
    counts,
    shares,
    mean_points: n === 0 ? null : roundHalfUp(halfPoints, 2 * n, 2) / 100,
    borderline: graded.flatMap((row) => borderlineRow(row.student_id, row.total, lowest) ?? []),
    warnings: [
      ...shareWarning('max-a-share', 'A', counts.A, n, rules.max_a_share),
      ...shareWarning('max-f-share', 'F', counts.F, n, rules.max_f_share),
      ...sizeWarning(totalsInStatistics(rows).length, rules),
    ],
  };
}

function borderlineRow(
  student_id: string,
  total: number,
  lowest: readonly number[],
): BorderlineRow | undefined {
  const own = inHundredths(total);
  const letter = letterFrom(own, lowest);
  const next = lowest[GRADE_LETTERS.indexOf(letter) - 1];
  if (next === undefined || next > HIGHEST_TOTAL || next - own >= 100) return undefined;
  // Where a guard joins several letters, the best of them comes next.
  return { student_id, total, letter, next_letter: letterFrom(next, lowest), short_by: (next - own) / 100 };
}

function shareWarning(
  rule: LetterWarning['rule'],
  letter: 'A' | 'F',
  count: number,
  n: number,
  limit: number,
): LetterWarning[] {
  const allowed = allowedStudents(limit, n);
  if (count <= allowed) return [];
  const have = count === 1 ? 'has' : 'have';
  const share = `(${inHundredths(limit)} %)`;
  const needs =
    allowed === 0
      ? `in a class this small ${share} any ${letter} needs a reason`
      : `more than ${allowed} ${share} need a reason`;
  return [{ rule, text: `${count} of ${plural(n, 'student')} ${have} an ${letter}; ${needs}.` }];
}

function sizeWarning(
  n: number,
  rules: Pick<PolicyRules, 'grading_method' | 'relative_full'>,
): LetterWarning[] {
  if (!isRelative(rules) || n >= rules.relative_full) return [];
  return [
    {
      rule: 'relative-full',
      text: `A class of fewer than ${rules.relative_full} is graded relatively only for a reason; this one has ${plural(n, 'student')} with a total.`,
    },
  ];
}
