import { z } from 'zod';
import { LOW_CGPA, STEEP_FALL } from '../domain/grading/cgpa-bins.ts';
import { DEPARTMENT_CODES, STANDINGS, SYNDICATES } from '../domain/student.ts';
import type { CallGroup } from './calls.ts';
import { oneOf } from './fields.ts';
import { studentFilter } from './students/student-list.ts';

/** The fields by which CGPAs can be grouped. */
export const CGPA_SPLITS = ['department', 'degree', 'syn'] as const;
export type CgpaSplit = (typeof CGPA_SPLITS)[number];

const cgpasQuery = z.strictObject({ split: oneOf(CGPA_SPLITS).optional() });

/** `bins`: students with a CGPA from 0, 0.2, 0.4 … 3.8 on; the last bin includes 4.00. */
const cgpaGroup = z.object({
  /** The department, degree or syndicate. */
  value: z.string(),
  /** All active students of the group, with or without a CGPA. */
  students: z.int(),
  bins: z.array(z.int()),
  /** Tenth of the median: 27 means 2.70 to 2.79; null if no student has a CGPA. */
  median_tenth: z.int().nullable(),
  /** Students with all eight semesters recorded, and the tenth of the median of their final CGPAs. */
  final: z.object({ students: z.int(), median_tenth: z.int().nullable() }),
});
export type CgpaGroup = z.infer<typeof cgpaGroup>;

const cgpasReply = z.object({ split: z.enum(CGPA_SPLITS), groups: z.array(cgpaGroup) });
export type Cgpas = z.infer<typeof cgpasReply>;

/** The same limits as in the list of students, so that its filters find the counted students. */
const lowCgpasQuery = z.strictObject({ cgpa_below: studentFilter.shape.cgpa_below });
const fallsQuery = z.strictObject({ fell_by: studentFilter.shape.fell_by });

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
const lowCgpasReply = z.object({ cgpa_below: z.number(), departments: departmentCounts });

/** Active students of each department that has any. */
const fallsReply = z.object({ fell_by: z.number(), departments: departmentCounts });

/** Courses with graded results; code and name are null if the course has been deleted. */
const passRatesReply = z.array(
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
const classSizesReply = z.array(
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
const standingsReply = z.array(
  z.object({ department: z.enum(DEPARTMENT_CODES), standing: z.enum(STANDINGS), students: z.int() }),
);
export type StandingCounts = z.infer<typeof standingsReply>;

export const insightCalls = {
  tag: 'Insights',
  calls: {
    'GET /api/insights/cgpas': {
      summary: 'How the CGPAs of active students are distributed',
      description: 'Split by `department` unless another `split` is asked for.',
      rights: ['read'],
      query: cgpasQuery,
      replies: { 200: cgpasReply },
      refuses: [422],
    },
    'GET /api/insights/low-cgpas': {
      summary: 'Active students below a CGPA, by department',
      description: `Below ${LOW_CGPA.toFixed(2)} unless \`cgpa_below\` says otherwise; among those with a CGPA.`,
      rights: ['read'],
      query: lowCgpasQuery,
      replies: { 200: lowCgpasReply },
      refuses: [422],
    },
    'GET /api/insights/falls': {
      summary: 'Active students whose latest SGPA fell, by department',
      description: `By ${STEEP_FALL.toFixed(2)} or more, unless \`fell_by\` says otherwise; among all active students.`,
      rights: ['read'],
      query: fallsQuery,
      replies: { 200: fallsReply },
      refuses: [422],
    },
    'GET /api/insights/pass-rates': {
      summary: 'Results and fails of every course',
      rights: ['read'],
      replies: { 200: passRatesReply },
    },
    'GET /api/insights/class-sizes': {
      summary: 'Active students and incomplete entries of every semester, by department and syndicate',
      rights: ['read'],
      replies: { 200: classSizesReply },
    },
    'GET /api/insights/standings': {
      summary: 'Active students by academic standing, by department',
      description: 'Students without a graded semester have no standing.',
      rights: ['read'],
      replies: { 200: standingsReply },
    },
  },
} satisfies CallGroup;
