import type { GradeLetter } from './gpa.ts';

/** Which attempts of a repeated course count towards the CGPA. */
export const REPEAT_POLICIES = ['all', 'best', 'latest', 'average'] as const;
export type RepeatPolicy = (typeof REPEAT_POLICIES)[number];

/** How the total marks of a class become letters. */
export const GRADING_METHODS = ['absolute', 'mean-sd', 'quantile', 'gap'] as const;
export type GradingMethod = (typeof GRADING_METHODS)[number];

/** What a short attendance is proposed to end in. */
export const ATTENDANCE_EFFECTS = ['none', 'F', 'withdrawn'] as const;
export type AttendanceEffect = (typeof ATTENDANCE_EFFECTS)[number];

/**
 * The faculty's rules on grades, which differ per batch. Grade points 0 to 4 and shares 0 to 1 with two decimals, marks 0 to
 * 100. Lists of seven are for the letters A to D in order.
 */
export interface PolicyRules {
  repeat_policy: RepeatPolicy;
  /** Below this SGPA a semester ends with a warning. */
  warning_sgpa: number;
  /** Below this CGPA, from the second semester on, a student is on probation. */
  probation_cgpa: number;
  /** This many F in all lead to a review. */
  review_fails: number;
  /** This many semesters on probation in a row lead to a review. */
  review_probations: number;
  /** This many F in the first semester lead to a review. */
  review_first_fails: number;
  deans_list_sgpa: number;
  /** Credit hours to earn for the degree. */
  degree_credits: number;
  degree_cgpa: number;
  /** A mark sheet is confirmed by another account than the one that submitted it. */
  four_eyes: boolean;
  /** Results come from mark sheets; only an administrator enters a grade otherwise, with a reason. */
  sheets_only: boolean;
  /** Days in which a result can be rechecked. */
  recheck_days: number;
  grading_method: GradingMethod;
  /** The lowest mark of each letter under the method `absolute`. */
  absolute_boundaries: readonly number[];
  /** Standard deviations above the mean at which each letter begins, under `mean-sd`. */
  k: readonly number[];
  /** Share of the class that gets each letter, under `quantile`. */
  quotas: readonly number[];
  /** Below this mark it is an F; null for off. */
  pass_floor: number | null;
  /** A mark from which on it is at least a D; null for off. */
  pass_guarantee: number | null;
  /** A mark from which on it is an A; null for off. */
  a_guarantee: number | null;
  /** Classes smaller than this are not graded relatively. */
  relative_min: number;
  /** Classes smaller than this are graded relatively for a written reason only. */
  relative_full: number;
  max_a_share: number;
  max_f_share: number;
  /** Boundaries are rounded to a multiple of this mark. */
  boundary_step: number;
  /** Percent of the classes that have to be attended. */
  attendance_min: number;
  /** Theory and lab are judged each, and not their sum. */
  attendance_separate: boolean;
  attendance_effect: AttendanceEffect;
  /** Credit hours of a term, above which adding a student to a mark sheet needs a reason. */
  load_max: number;
  /** The same with a CGPA of at least `load_good_cgpa`. */
  load_good: number;
  load_good_cgpa: number;
  /** The same on probation or under review. */
  load_probation: number;
  /** The same in a summer term. */
  load_summer: number;
  /** Repeating a course that is passed with this letter or a better one needs a reason. */
  improve_below: Exclude<GradeLetter, 'F'>;
}

/** The rules of policy 1, which applies to every batch from the start. The thresholds of standing are those of NUST. */
export const DEFAULT_RULES: PolicyRules = {
  repeat_policy: 'all',
  warning_sgpa: 2,
  probation_cgpa: 2,
  review_fails: 7,
  review_probations: 4,
  review_first_fails: 5,
  deans_list_sgpa: 3.5,
  degree_credits: 136,
  degree_cgpa: 2,
  four_eyes: true,
  sheets_only: false,
  recheck_days: 14,
  grading_method: 'absolute',
  absolute_boundaries: [85, 80, 75, 70, 65, 60, 50],
  k: [0.9, 0.4, -0.1, -0.6, -1.1, -1.6, -2.1],
  quotas: [0.15, 0.15, 0.2, 0.2, 0.15, 0.1, 0.03],
  pass_floor: 40,
  pass_guarantee: null,
  a_guarantee: null,
  relative_min: 10,
  relative_full: 30,
  max_a_share: 0.2,
  max_f_share: 0.15,
  boundary_step: 0.01,
  attendance_min: 75,
  attendance_separate: true,
  attendance_effect: 'none',
  load_max: 19,
  load_good: 21,
  load_good_cgpa: 3.5,
  load_probation: 13,
  load_summer: 9,
  improve_below: 'C',
};

/** Whether one printed average is below another; both with two decimals, compared in whole hundredths. */
export const isBelow = (printed: number, limit: number): boolean =>
  Math.round(printed * 100) < Math.round(limit * 100);
