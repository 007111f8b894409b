import { z } from 'zod';
import { DEPARTMENT_CODES, STANDINGS, SYNDICATES } from '../domain/student.ts';
import { oneOf } from './fields.ts';
import { studentFilter } from './students/student-list.ts';

/** The fields by which CGPAs can be grouped. */
export const CGPA_SPLITS = ['department', 'degree', 'syn'] as const;
export type CgpaSplit = (typeof CGPA_SPLITS)[number];

export const cgpasQuery = z.strictObject({ split: oneOf(CGPA_SPLITS).optional() });

/** `bins`: students with a CGPA from 0, 0.2, 0.4 … 3.8 on; the last bin includes 4.00. */
const cgpaGroup = z.object({
  /** The department, degree or syndicate. */
  value: z.string(),
  /** All active students of the group, with or without a CGPA. */
  students: z.int(),
  bins: z.array(z.int()),
  /** Tenth of the median: 27 means 2.70 to 2.79; null if no student has a CGPA. */
  median_tenth: z.int().nullable(),
  /** Those with all eight semesters recorded, and the tenth of the median of their final CGPAs. */
  final: z.object({ students: z.int(), median_tenth: z.int().nullable() }),
});
export type CgpaGroup = z.infer<typeof cgpaGroup>;

export const cgpasReply = z.object({ split: z.enum(CGPA_SPLITS), groups: z.array(cgpaGroup) });
export type Cgpas = z.infer<typeof cgpasReply>;

/** The same limits as in the list of students, so that its filters find the counted students. */
export const lowCgpasQuery = z.strictObject({ cgpa_below: studentFilter.shape.cgpa_below });
export const fallsQuery = z.strictObject({ fell_by: studentFilter.shape.fell_by });

const departmentCounts = z.array(
  z.object({
    department: z.enum(DEPARTMENT_CODES),
    /** Students within the limit. */
    students: z.int(),
    /** Number of students compared. */
    of: z.int(),
  }),
);
export type DepartmentCounts = z.infer<typeof departmentCounts>;

/** Active students of each department that has any with a CGPA. */
export const lowCgpasReply = z.object({ cgpa_below: z.number(), departments: departmentCounts });
export type LowCgpas = z.infer<typeof lowCgpasReply>;

/** Active students of each department that has any. */
export const fallsReply = z.object({ fell_by: z.number(), departments: departmentCounts });
export type Falls = z.infer<typeof fallsReply>;

/** Courses with graded results; code and name are null if the course has been deleted. */
export const passRatesReply = z.array(
  z.object({
    course_id: z.int(),
    course_code: z.string().nullable(),
    course_name: z.string().nullable(),
    results: z.int(),
    failed: z.int(),
  }),
);
export type CourseResults = z.infer<typeof passRatesReply>[number];

/** Active students per department, semester and syndicate; empty classes are left out. */
export const classSizesReply = z.array(
  z.object({
    department: z.enum(DEPARTMENT_CODES),
    current_sem: z.int(),
    syn: z.enum(SYNDICATES),
    students: z.int(),
    incomplete: z.int(),
  }),
);
export type ClassSize = z.infer<typeof classSizesReply>[number];

/** Active students per department and academic standing; those without a graded semester have none. */
export const standingsReply = z.array(
  z.object({ department: z.enum(DEPARTMENT_CODES), standing: z.enum(STANDINGS), students: z.int() }),
);
export type StandingCounts = z.infer<typeof standingsReply>;
