import { GRADE_LETTERS } from './gpa.ts';
import type { AttendanceEffect, GradingMethod, PolicyRules, RepeatPolicy } from './policy.ts';

/** The rules in the order of the form, as it labels them. */
export const RULE_LABELS = {
  repeat_policy: 'Repeated courses',
  warning_sgpa: 'SGPA for a warning',
  probation_cgpa: 'CGPA for probation',
  review_fails: 'Fails that lead to a review',
  review_first_fails: 'F in the first semester for a review',
  review_probations: 'Semesters on probation for a review',
  deans_list_sgpa: 'SGPA for the Dean’s List',
  degree_credits: 'Credit hours for the degree',
  degree_cgpa: 'CGPA for the degree',
  grading_method: 'Method',
  absolute_boundaries: 'Lowest mark of each letter',
  k: 'Standard deviations from the mean',
  quotas: 'Share of the class for each letter',
  pass_floor: 'Marks below this are an F',
  pass_guarantee: 'Marks from this on are at least a D',
  a_guarantee: 'Marks from this on are an A',
  relative_min: 'Smallest class graded relatively',
  relative_full: 'Relative grading needs a reason below',
  max_a_share: 'Largest share of A',
  max_f_share: 'Largest share of F',
  boundary_step: 'Step of the boundaries',
  attendance_min: 'Least attendance in percent',
  attendance_separate: 'Theory and lab judged separately',
  attendance_effect: 'Short attendance ends in',
  four_eyes: 'Confirmed by a second person',
  sheets_only: 'Grades only through mark sheets',
  recheck_days: 'Days for a recheck',
  load_max: 'Credit hours of a term',
  load_good: 'Credit hours with a good CGPA',
  load_good_cgpa: 'CGPA that counts as good',
  load_probation: 'Credit hours on probation',
  load_summer: 'Credit hours of a summer term',
  improve_below: 'Repeats need a reason from',
} as const satisfies Record<keyof PolicyRules, string>;

export const REPEAT_POLICY_NAMES: Record<RepeatPolicy, string> = {
  all: 'Every attempt counts',
  best: 'The better grade counts',
  latest: 'The latest grade counts',
  average: 'The mean of all attempts counts',
};

export const GRADING_METHOD_NAMES: Record<GradingMethod, string> = {
  absolute: 'Fixed boundaries',
  'mean-sd': 'Mean and standard deviation',
  quantile: 'Shares of the class',
  gap: 'Gaps between the totals',
};

export const ATTENDANCE_EFFECT_NAMES: Record<AttendanceEffect, string> = {
  none: 'Nothing by itself',
  F: 'F, not admitted to the final',
  withdrawn: 'Withdrawn',
};

/** The letters of the rules with seven numbers. */
export const BOUNDARY_LETTERS = GRADE_LETTERS.filter((letter) => letter !== 'F');

const isGradePoints = (rule: keyof PolicyRules) => /_s?c?gpa$/.test(rule);

type SomeRules = { readonly [Rule in keyof PolicyRules]?: PolicyRules[Rule] | undefined };

/** The value of a rule in plain words. */
export function ruleText(rule: keyof PolicyRules, rules: SomeRules): string {
  const value = rules[rule];
  if (value === null || value === undefined) return 'off';
  if (rule === 'repeat_policy' && rules.repeat_policy !== undefined) {
    return REPEAT_POLICY_NAMES[rules.repeat_policy];
  }
  if (rule === 'grading_method' && rules.grading_method !== undefined) {
    return GRADING_METHOD_NAMES[rules.grading_method];
  }
  if (rule === 'attendance_effect' && rules.attendance_effect !== undefined) {
    return ATTENDANCE_EFFECT_NAMES[rules.attendance_effect];
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return isGradePoints(rule) ? value.toFixed(2) : String(value);
  if (typeof value === 'string') return value;
  return value.map((one, i) => `${BOUNDARY_LETTERS[i]} ${String(one).replace('-', '−')}`).join(', ');
}
