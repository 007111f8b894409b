import type { PolicyRules } from '../../../domain/grading/policy.ts';

interface RuleGroup {
  title: string;
  text: string;
  rules: readonly (keyof PolicyRules)[];
}

/** The rules as the list and the form arrange them. */
export const RULE_GROUPS: readonly RuleGroup[] = [
  {
    title: 'Repeats',
    text: 'Which attempts of a repeated course count towards the CGPA.',
    rules: ['repeat_policy'],
  },
  {
    title: 'Standing',
    text: 'When a semester ends with a warning, on probation or with a review.',
    rules: ['warning_sgpa', 'probation_cgpa', 'review_fails', 'review_first_fails', 'review_probations'],
  },
  {
    title: 'Degree and honours',
    text: 'What the degree and the Dean’s List ask for.',
    rules: ['degree_credits', 'degree_cgpa', 'deans_list_sgpa'],
  },
  {
    title: 'Grading of mark sheets',
    text: 'How the totals of a class become letters.',
    rules: [
      'grading_method',
      'absolute_boundaries',
      'k',
      'quotas',
      'pass_floor',
      'pass_guarantee',
      'a_guarantee',
      'relative_min',
      'relative_full',
      'max_a_share',
      'max_f_share',
      'boundary_step',
    ],
  },
  {
    title: 'Attendance',
    text: 'When attendance on a mark sheet is short, and what is proposed then.',
    rules: ['attendance_min', 'attendance_separate', 'attendance_effect'],
  },
  {
    title: 'Confirmation',
    text: 'Who confirms a mark sheet, whether grades are entered otherwise, and how long a result can be rechecked.',
    rules: ['four_eyes', 'sheets_only', 'recheck_days'],
  },
  {
    title: 'Registration',
    text: 'When adding a student to a mark sheet needs a reason, in terms with a last day to add.',
    rules: ['load_max', 'load_good', 'load_good_cgpa', 'load_probation', 'load_summer', 'improve_below'],
  },
];
