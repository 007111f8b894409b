/** Fixed lists and limits of a student's record (specification, sections 3, 5 and 9). */

export const DEPARTMENTS = {
  EE: 'Electrical Engineering',
  CE: 'Computer and Software Engineering',
  ME: 'Mechanical Engineering',
  MTS: 'Mechatronics Engineering',
} as const;
export type Department = keyof typeof DEPARTMENTS;
export const DEPARTMENT_CODES = ['EE', 'CE', 'ME', 'MTS'] as const satisfies readonly Department[];

/** Whether a student is studying, and if not, why. */
export const STATUSES = {
  active: 'Active',
  'on-leave': 'On leave',
  withdrawn: 'Withdrawn',
  graduated: 'Graduated',
  transferred: 'Transferred',
} as const;
export type Status = keyof typeof STATUSES;
export const STATUS_CODES = [
  'active',
  'on-leave',
  'withdrawn',
  'graduated',
  'transferred',
] as const satisfies readonly Status[];

/** Standings from the best to the worst. `review` means that a rule on removal is met; a person decides what follows. */
export const STANDINGS = ['good', 'warning', 'probation', 'review'] as const;
export type Standing = (typeof STANDINGS)[number];

export const STANDING_LABELS: Readonly<Record<Standing, string>> = {
  good: 'Good standing',
  warning: 'Warning',
  probation: 'Probation',
  review: 'Review',
};

export const SYNDICATES = ['A', 'B', 'C'] as const;
export const GENDERS = ['M', 'F'] as const;

/** Semesters of a degree. */
export const SEMESTER_COUNT = 8;
export const SEMESTERS: readonly number[] = Array.from({ length: SEMESTER_COUNT }, (_, i) => i + 1);
/** Subjects of one semester. */
export const SUBJECT_COUNT = 10;
/** Credit hours of one subject. */
export const CREDIT_HOURS = { min: 1, max: 6 } as const;
/** Marks of the school examinations (HSSC/FSC, SSC/Matric), out of {@link SCHOOL_MARKS_TOTAL}. */
export const SCHOOL_MARKS = { min: 100, max: 1100 } as const;
export const SCHOOL_MARKS_TOTAL = 1100;
/** Earliest date of birth and of joining. Rejects years typed with two digits. */
export const EARLIEST_DATE = '1900-01-01';
export const PASSING_YEAR = { min: 1900, max: 2099 } as const;
export const DIVISION = { min: 1, max: 3 } as const;

/** Empty where the names are not known. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`.trim();

/**
 * Requests have school marks as marks (100–1100, at most two decimals), replies as a fraction of 1100. They are stored as
 * whole hundredths, which makes the round trip exact for every valid value.
 */
export type HundredthMarks = number;

/** Hundredths of a mark, 10000 to 110000, or undefined when the marks are out of range or finer than two decimals. */
export function toHundredths(marks: number): HundredthMarks | undefined {
  const hundredths = Math.round(marks * 100);
  if (hundredths / 100 !== marks) return undefined;
  return marks >= SCHOOL_MARKS.min && marks <= SCHOOL_MARKS.max ? hundredths : undefined;
}

/**
 * The fraction of 1100 in a reply, to fifteen significant digits: `93500` (935 marks) → `0.85`. The database writes the same
 * number of digits where it builds a reply.
 */
export function toFraction(hundredths: HundredthMarks): number {
  return Number((hundredths / (SCHOOL_MARKS_TOTAL * 100)).toPrecision(15));
}

/** Marks from a fraction of {@link toFraction}, exact: `0.85` → `935`. */
export function fromFraction(fraction: number): number {
  return Math.round(fraction * SCHOOL_MARKS_TOTAL * 100) / 100;
}
