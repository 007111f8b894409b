/** Fixed lists and limits of a student's record (specification, sections 3, 5 and 9). */

export const DEPARTMENTS = {
  EE: 'Electrical Engineering',
  CE: 'Computer and Software Engineering',
  ME: 'Mechanical Engineering',
  MTS: 'Mechatronics Engineering',
} as const;
export type Department = keyof typeof DEPARTMENTS;
export const DEPARTMENT_CODES = ['EE', 'CE', 'ME', 'MTS'] as const satisfies readonly Department[];

export const SYNDICATES = ['A', 'B', 'C'] as const;
export const GENDERS = ['M', 'F'] as const;

/** Semesters of a degree. */
export const SEMESTER_COUNT = 8;
/** Subjects of one semester. */
export const SUBJECT_COUNT = 10;
/** Credit hours of one subject. */
export const CREDIT_HOURS = { min: 1, max: 6 } as const;
/** Marks of the school examinations (HSSC/FSC, SSC/Matric), out of {@link SCHOOL_MARKS_TOTAL}. */
export const SCHOOL_MARKS = { min: 100, max: 1100 } as const;
export const SCHOOL_MARKS_TOTAL = 1100;
/** Of birth and of joining: a year of two figures is a slip. */
export const EARLIEST_DATE = '1900-01-01';
export const PASSING_YEAR = { min: 1900, max: 2099 } as const;
export const DIVISION = { min: 1, max: 3 } as const;
