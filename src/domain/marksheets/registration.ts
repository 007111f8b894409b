import type { PolicyRules } from '../grading/policy.ts';
import { isBelow } from '../grading/policy.ts';

/** What is checked when a student is added to a mark sheet of a dated term. */
export const CHECK_RULES = ['needs', 'load', 'passed', 'twice', 'hold'] as const;

/** `warn` needs a reason, `if-passed` waits for a mark sheet that is not confirmed. */
export const CHECK_STATES = ['met', 'if-passed', 'warn', 'refused'] as const;

export interface RegistrationCheck {
  rule: (typeof CHECK_RULES)[number];
  state: (typeof CHECK_STATES)[number];
  text: string;
}

/** A warning that a reason covers: that of a later moment, with another text, is open again. */
export type CoveredWarning = Pick<RegistrationCheck, 'rule' | 'text'>;

export const toCovered = (checks: readonly RegistrationCheck[]): CoveredWarning[] =>
  checks.flatMap(({ rule, state, text }) => (state === 'warn' ? { rule, text } : []));

/** The warnings that no reason covers. */
export const openWarnings = (
  checks: readonly RegistrationCheck[],
  covered: readonly CoveredWarning[],
): CoveredWarning[] =>
  toCovered(checks).filter(
    ({ rule, text }) => !covered.some((one) => one.rule === rule && one.text === text),
  );

export interface StandingBefore {
  /** As printed, with two decimals; null without a final semester. */
  cgpa: number | null;
  isOnProbation: boolean;
}

type LoadRules = Pick<
  PolicyRules,
  'load_max' | 'load_good' | 'load_good_cgpa' | 'load_probation' | 'load_summer'
>;

/** The credit hours that a student takes in a term without a reason. */
export function loadLimit(
  rules: LoadRules,
  { cgpa, isOnProbation, isSummer }: StandingBefore & { isSummer: boolean },
): number {
  if (isSummer) return rules.load_summer;
  if (isOnProbation) return rules.load_probation;
  return cgpa !== null && !isBelow(cgpa, rules.load_good_cgpa) ? rules.load_good : rules.load_max;
}

export const loadText = (credits: number, limit: number) =>
  `Load: ${credits} credits with this course, the limit is ${limit}.`;
