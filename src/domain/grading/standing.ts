import type { Standing } from '../student.ts';
import { isBelow, type PolicyRules } from './policy.ts';

/** A recorded semester, as far as the standing follows from it. */
export interface SemesterFigures {
  /** 1 to 8. */
  semester: number;
  /** The SGPA as printed: 0 to 4, two decimals. */
  sgpa: number;
  cgpa: number;
  /** Subjects with an F. */
  fails: number;
  /** It has a subject with both credit hours and a grade. */
  isGraded: boolean;
  /** Its results are not final yet. */
  isProvisional: boolean;
}

export interface SemesterStanding {
  /** Null for a semester without graded subjects, and for a provisional one. */
  standing: Standing | null;
  /** The rule that led to it, with its figures, as a sentence; null for `good`. */
  clause: string | null;
}

/** The rules of a policy that a standing follows from, besides the averages. */
export const STANDING_RULES = [
  'warning_sgpa',
  'probation_cgpa',
  'review_fails',
  'review_probations',
  'review_first_fails',
] as const satisfies readonly (keyof PolicyRules)[];

type StandingRules = Pick<PolicyRules, (typeof STANDING_RULES)[number]>;

/** Counts over the semesters up to one. */
interface RunningFigures {
  fails: number;
  firstFails: number;
  /** Semesters in a row up to this one whose CGPA is below the limit. */
  probations: number;
}

const points = (value: number) => value.toFixed(2);
const sentence = (parts: readonly string[]) => (parts.length === 0 ? null : `${parts.join('; ')}.`);

function reviewClause(
  { fails, firstFails, probations }: RunningFigures,
  rules: StandingRules,
): string | null {
  const { review_fails, review_probations, review_first_fails } = rules;
  return sentence([
    ...(fails >= review_fails ? [`${fails} F in all, a review is due from ${review_fails} on`] : []),
    ...(firstFails >= review_first_fails
      ? [`${firstFails} F in the first semester, a review is due from ${review_first_fails} on`]
      : []),
    ...(probations >= review_probations
      ? [
          `CGPA below ${points(rules.probation_cgpa)} after ${probations} semesters in a row, a review is due from ${review_probations} on`,
        ]
      : []),
  ]);
}

const probationClause = ({ cgpa }: SemesterFigures, { probations }: RunningFigures, limit: number) =>
  `CGPA ${points(cgpa)} is below ${points(limit)}${probations > 1 ? `, ${probations} semesters in a row` : ''}.`;

function warningClause({ sgpa, fails }: SemesterFigures, limit: number): string | null {
  return sentence([
    ...(isBelow(sgpa, limit) ? [`SGPA ${points(sgpa)} is below ${points(limit)}`] : []),
    ...(fails > 0 ? [`${fails} F in this semester`] : []),
  ]);
}

/**
 * The academic standing after each semester. The rules are those of NUST, the numbers of the policy; limits are compared with
 * the printed averages.
 *
 * - review: so many F in all, so many in the first semester (from the semester that fills the count on), or so many
 *   semesters on probation in a row
 * - probation: CGPA below the limit, not after the first semester
 * - warning: SGPA below the limit, or an F in the semester
 *
 * A provisional semester has no standing, and its F are not counted.
 *
 * @param semesters in order, from the first
 */
export function standingAfterEach(
  semesters: readonly SemesterFigures[],
  rules: StandingRules,
): SemesterStanding[] {
  const running: RunningFigures = { fails: 0, firstFails: 0, probations: 0 };
  return semesters.map((one) => {
    const { semester, cgpa, fails, isGraded, isProvisional } = one;
    if (!isGraded || isProvisional) return { standing: null, clause: null };
    running.fails += fails;
    if (semester === 1) running.firstFails = fails;
    const isOnProbation = semester > 1 && isBelow(cgpa, rules.probation_cgpa);
    running.probations = isOnProbation ? running.probations + 1 : 0;

    const review = reviewClause(running, rules);
    if (review !== null) return { standing: 'review', clause: review };
    if (isOnProbation)
      return { standing: 'probation', clause: probationClause(one, running, rules.probation_cgpa) };
    const warning = warningClause(one, rules.warning_sgpa);
    if (warning !== null) return { standing: 'warning', clause: warning };
    return { standing: 'good', clause: null };
  });
}

/** A standing with the number of the policy by which it was found. */
export interface PolicyStanding extends SemesterStanding {
  policy_id: number;
}

/** The standing of a semester as it is answered. */
export interface AnsweredStanding extends PolicyStanding {
  /** The standing by today's figures and policy; only where it differs from what was notified. */
  now?: PolicyStanding;
}

/**
 * The standing of each semester: as it was when the results were notified, since letters were sent by it; of a semester that
 * was never notified, or had no standing then, by the policy.
 *
 * @param semesters in order, from the first; `notified` is null where nothing was
 */
export function answerStandings(
  semesters: readonly (SemesterFigures & { notified: PolicyStanding | null })[],
  { policy_id, rules }: { policy_id: number; rules: StandingRules },
): AnsweredStanding[] {
  const today = standingAfterEach(semesters, rules);
  return semesters.map(({ notified, isProvisional }, i) => {
    const { standing, clause } = today[i] ?? { standing: null, clause: null };
    const now = { standing, clause, policy_id };
    if (notified === null || notified.standing === null || isProvisional) return now;
    const isSame = notified.standing === standing && notified.clause === clause;
    return isSame ? notified : { ...notified, now };
  });
}

/** The standing after the last semester that has one. */
export const latestStanding = (standings: readonly SemesterStanding[]): SemesterStanding =>
  standings.findLast(({ standing }) => standing !== null) ?? { standing: null, clause: null };
