import { plural } from '../format-count.ts';
import { SEMESTER_COUNT } from '../student.ts';
import { average, type GpaSums, roundHalfUp } from './gpa.ts';
import { isBelow, type PolicyRules } from './policy.ts';
import {
  attemptedCourse,
  countSubjects,
  earnedCredits,
  type RecordedSubject,
  sumCounted,
} from './repeat-policy.ts';

/** Conditions of the degree, in order. */
export const DEGREE_RULES = [
  'semesters',
  'credits',
  'cgpa',
  'no-fails',
  'no-incomplete',
  'linked',
  'scheme',
] as const;
export type DegreeRule = (typeof DEGREE_RULES)[number];

/** Headings of the conditions in a table. */
export const DEGREE_RULE_TITLES: Readonly<Record<DegreeRule, string>> = {
  semesters: 'Semesters',
  credits: 'Credit hours',
  cgpa: 'CGPA',
  'no-fails': 'No F',
  'no-incomplete': 'All graded',
  linked: 'Course IDs',
  scheme: 'Scheme',
};

export interface DegreeLine {
  rule: DegreeRule;
  /** `unknown`: the record does not say. */
  state: 'pass' | 'fail' | 'unknown';
  /** The figures, as a sentence. */
  text: string;
}

/** Why a mark sheet closed a subject without a grade. */
export type Ungraded = 'incomplete' | 'withdrawn' | 'excused';

/** Results that are final without a grade. Any other subject without one keeps its semester incomplete. */
export const FINAL_WITHOUT_GRADE = ['withdrawn', 'excused'] as const satisfies readonly Ungraded[];

const isFinalWithoutGrade = (ungraded: Ungraded | null): boolean =>
  FINAL_WITHOUT_GRADE.some((one) => one === ungraded);

export interface DegreeSubject extends RecordedSubject {
  /** Null with a grade, or where no mark sheet says why there is none. */
  ungraded: Ungraded | null;
}

/** Places of subjects, as `semester 3 slot 2`; the first five. */
function placesText(subjects: readonly RecordedSubject[]): string {
  const places = subjects.slice(0, 5).map(({ semester, slot }) => `semester ${semester} slot ${slot}`);
  return [...places, ...(subjects.length > 5 ? [`${subjects.length - 5} more`] : [])].join(', ');
}

/**
 * Whether a record fulfils the conditions of the degree.
 *
 * @param semesters recorded semesters
 * @param subjects of all of them
 * @param beyond credit hours from elsewhere, and the keys of the lacking rows where a scheme is in force
 * @returns a line for each condition; `passed` is null when none fails but one can't be known
 */
export function checkDegree(
  semesters: number,
  subjects: readonly DegreeSubject[],
  rules: Pick<PolicyRules, 'repeat_policy' | 'degree_credits' | 'degree_cgpa'>,
  beyond: { creditsOutside: number; lackingRows: readonly string[] | null } = {
    creditsOutside: 0,
    lackingRows: null,
  },
): { passed: boolean | null; lines: DegreeLine[] } {
  const earned = earnedCredits(subjects, rules.repeat_policy);
  const sums = sumCounted(countSubjects(subjects, rules.repeat_policy));
  const cgpa = average(sums);
  const fails = subjects.filter((subject) => subject.points === 0 && !isPassedLater(subject, subjects));
  const ungraded = subjects.filter(({ points }) => points === null);
  const settled = ungraded.filter((subject) => isSettled(subject, subjects));
  const missing = ungraded.filter((subject) => !settled.includes(subject));
  const unlinked = subjects.filter(({ points, course_id }) => points !== null && course_id === null);
  const line = (rule: DegreeRule, passes: boolean, text: string): DegreeLine => ({
    rule,
    state: passes ? 'pass' : 'fail',
    text,
  });
  const lines: DegreeLine[] = [
    line(
      'semesters',
      semesters >= SEMESTER_COUNT,
      `${semesters} of ${SEMESTER_COUNT} semesters are recorded.`,
    ),
    line(
      'credits',
      earned + beyond.creditsOutside >= rules.degree_credits,
      beyond.creditsOutside === 0
        ? `${plural(earned, 'credit hour')} earned of ${rules.degree_credits}.`
        : `${plural(earned, 'credit hour')} earned and ${beyond.creditsOutside} from elsewhere, of ${rules.degree_credits}.`,
    ),
    line(
      'cgpa',
      sums.credits > 0 && !isBelow(cgpa, rules.degree_cgpa),
      sums.credits === 0
        ? 'Nothing is graded yet.'
        : `CGPA ${cgpa.toFixed(2)}, ${rules.degree_cgpa.toFixed(2)} is needed.`,
    ),
    line(
      'no-fails',
      fails.length === 0,
      fails.length === 0
        ? 'No F without a later pass.'
        : `${plural(fails.length, 'F', 'F')} without a later pass: ${placesText(fails)}.`,
    ),
    line(
      'no-incomplete',
      missing.length === 0,
      missing.length > 0
        ? `${plural(missing.length, 'subject')} without a grade: ${placesText(missing)}.`
        : settled.length === 0
          ? 'Every subject has a grade.'
          : `No grade is missing: ${plural(settled.length, 'subject was', 'subjects were')} withdrawn, excused or graded later (${placesText(settled)}).`,
    ),
    {
      rule: 'linked',
      state: unlinked.length === 0 ? 'pass' : 'unknown',
      text:
        unlinked.length === 0
          ? 'Every graded subject has a course ID.'
          : `${plural(unlinked.length, 'graded subject')} without a course ID, so repeats of ${unlinked.length === 1 ? 'it' : 'them'} can't be found: ${placesText(unlinked)}.`,
    },
    ...(beyond.lackingRows === null ? [] : [schemeLine(beyond.lackingRows, unlinked.length)]),
  ];
  const has = (state: DegreeLine['state']) => lines.some((one) => one.state === state);
  return { passed: has('fail') ? false : has('unknown') ? null : true, lines };
}

/** A subject without a course ID fills no row, although it may be the one that is lacking. */
const schemeLine = (lacking: readonly string[], unlinked: number): DegreeLine => ({
  rule: 'scheme',
  state: lacking.length === 0 ? 'pass' : unlinked > 0 ? 'unknown' : 'fail',
  text:
    lacking.length === 0
      ? 'No row of the scheme is lacking.'
      : `${plural(lacking.length, 'row')} of the scheme ${lacking.length === 1 ? 'is' : 'are'} lacking: ${lacking.join(', ')}.`,
});

/** The later attempts of the course of a subject. */
const findLater = (first: RecordedSubject, subjects: readonly RecordedSubject[]) =>
  subjects.filter(
    (subject) =>
      attemptedCourse(subject) !== null &&
      attemptedCourse(subject) === attemptedCourse(first) &&
      (subject.semester > first.semester ||
        (subject.semester === first.semester && subject.slot > first.slot)),
  );

const isPassedLater = (failed: RecordedSubject, subjects: readonly RecordedSubject[]) =>
  findLater(failed, subjects).some(({ points }) => points !== null && points > 0);

/** Whether a subject without a grade needs none: it was withdrawn or excused, or a later attempt has one. */
const isSettled = (subject: DegreeSubject, subjects: readonly RecordedSubject[]) =>
  isFinalWithoutGrade(subject.ungraded) || findLater(subject, subjects).some(({ points }) => points !== null);

export interface CgpaPlan {
  /** Average of the credit hours that are left, by which the target is reached; two decimals; 0 when it is reached
   * already, null when no credit hours are left and it is not. */
  needed: number | null;
  /** The CGPA with an A in all that is left, two decimals. */
  best_possible: number;
  possible: boolean;
}

/**
 * The mean that is needed for a target CGPA: (target × (done + left) − points) ÷ left, from the exact points; the printed CGPA would
 * give another figure.
 *
 * @param done sums behind the present CGPA
 * @param target 0 to 4, two decimals
 * @param creditsLeft whole credit hours, 0 or more
 */
export function planCgpa(done: GpaSums, target: number, creditsLeft: number): CgpaPlan {
  const { credits, halfPoints, parts = 1 } = done;
  const all = credits + creditsLeft;
  // In hundredths of a part of a half-point, so whole.
  const missing = Math.round(target * 100) * 2 * parts * all - halfPoints * 100;
  const best = average({ credits: all, halfPoints: halfPoints + 8 * creditsLeft * parts, parts });
  const isReached = missing <= 0;
  const needed = isReached ? 0 : roundHalfUp(missing, 200 * parts * creditsLeft, 2) / 100;
  const isWithinReach = missing <= 800 * parts * creditsLeft || !isBelow(best, target);
  return {
    needed: creditsLeft === 0 && !isReached ? null : needed,
    best_possible: best,
    possible: isReached || isWithinReach,
  };
}
