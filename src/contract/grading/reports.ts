import { z } from 'zod';
import { RESULT_GROUPS } from '../../domain/grading/class-results.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import { type CallGroup, fileReply } from '../calls.ts';
import { oneOf, text, wholeNumber } from '../fields.ts';
import { CSV_SEPARATORS } from '../students/export.ts';
import { degreeCheckReply } from './grading.ts';

/** The reports of a class. */
export const REPORTS = [
  'ranking',
  'result-summary',
  'deans-list',
  'degree-check',
  'audit',
  'shortage',
] as const;
export type Report = (typeof REPORTS)[number];

/** The averages by which a class can be ranked. */
export const RANKED_BY = ['cgpa', 'sgpa'] as const;
export type RankedBy = (typeof RANKED_BY)[number];

/** A class: the students of a department and batch, or one syndicate of them. */
const classFields = {
  department: oneOf(DEPARTMENT_CODES),
  degree: text(20),
  syn: oneOf(SYNDICATES).optional(),
};

/** The latest one that a student of the class has recorded by default. */
const semester = wholeNumber({ min: 1, max: SEMESTER_COUNT }).optional();
const by = oneOf(RANKED_BY).default('cgpa');

export const degreeChecksQuery = z.strictObject(classFields);
export type ClassQuery = z.output<typeof degreeChecksQuery>;
export const semesterReportQuery = z.strictObject({ ...classFields, semester });
export type SemesterReportQuery = z.output<typeof semesterReportQuery>;
export const rankingQuery = z.strictObject({ ...classFields, semester, by });
export type RankingQuery = z.output<typeof rankingQuery>;

/** A report as a file. `semester`, `by`, `group` and `term_id` are of the reports that take them. */
export const reportExportQuery = z.strictObject({
  report: oneOf(REPORTS),
  ...classFields,
  semester,
  by,
  /** Needed for the shortage of attendance. */
  term_id: wholeNumber({ min: 1, max: 2 ** 31 - 1 }).optional(),
  /** The students of a result summary that are listed. */
  group: oneOf(RESULT_GROUPS).default('entered'),
  bom: oneOf(['true']).optional(),
  separator: oneOf(CSV_SEPARATORS).default('comma'),
});
export type ReportExportQuery = z.output<typeof reportExportQuery>;

/** Syndicates with students who are active or have graduated. */
export const classesReply = z.array(
  z.object({
    department: z.enum(DEPARTMENT_CODES),
    degree: z.string(),
    syn: z.enum(SYNDICATES),
    students: z.int(),
  }),
);
export type ReportClass = z.infer<typeof classesReply>[number];

const student = { id: z.string(), first_name: z.string(), last_name: z.string(), syn: z.enum(SYNDICATES) };
/** The semester of the results; null when the class has recorded none. */
const reportedSemester = z.int().nullable();

export const rankingReply = z.object({
  semester: reportedSemester,
  by: z.enum(RANKED_BY),
  /** Students who are ranked. */
  of: z.int(),
  /** The highest first. Equal values share a rank, and the next rank is skipped. */
  ranked: z.array(
    z.object({
      rank: z.int(),
      ...student,
      /** The average after the semester, or of it, as printed. */
      value: z.number(),
      /** (students below + half of those with the same value) ÷ all, in percent with two decimals. */
      percentile: z.number(),
    }),
  ),
  unranked: z.array(z.object({ ...student, reason: z.string() })),
});
export type Ranking = z.infer<typeof rankingReply>;

const points = z.number().nullable();

/** Pass share and averages are of complete results. */
export const resultSummaryReply = z.object({
  semester: reportedSemester,
  /** Students with results that are not provisional. */
  entered: z.int(),
  provisional: z.int(),
  /** Entered students without an I or a blank grade; a withdrawn or excused course is final. */
  complete: z.int(),
  /** Complete students without an F. */
  passed_all: z.int(),
  /** Entered students by the number of their F. */
  fails: z.object({ '1': z.int(), '2': z.int(), '3+': z.int() }),
  /** passed_all ÷ complete, 0 to 1, two decimals. */
  pass_share: points,
  mean_sgpa: points,
  median_sgpa: points,
  highest_sgpa: points,
  /** The entered students. */
  students: z.array(
    z.object({
      ...student,
      sgpa: z.number(),
      cgpa: z.number(),
      /** Subjects with an F. */
      fails: z.int(),
      is_complete: z.boolean(),
      /** Without a grade there is no SGPA, and `sgpa` is 0. */
      is_graded: z.boolean(),
    }),
  ),
});
export type ResultSummary = z.infer<typeof resultSummaryReply>;

export const deansListReply = z.object({
  semester: reportedSemester,
  /** Students who fulfil every condition. */
  listed: z.int(),
  /** Students with results of the semester, the highest SGPA first. */
  students: z.array(
    z.object({
      ...student,
      sgpa: z.number(),
      is_listed: z.boolean(),
      /** The SGPA is at least `least_sgpa`. */
      has_sgpa: z.boolean(),
      /** Every subject is final and has credit hours. */
      is_complete: z.boolean(),
      has_no_fails: z.boolean(),
    }),
  ),
  /** The least SGPA by the policy of the batch. */
  least_sgpa: z.number(),
});
export type DeansList = z.infer<typeof deansListReply>;

export const degreeChecksReply = z.object({
  /** Students who fulfil every condition. */
  passed: z.int(),
  /** Students in the last semester, by their IDs. */
  students: z.array(z.object({ ...student, ...degreeCheckReply.shape })),
});
export type DegreeChecks = z.infer<typeof degreeChecksReply>;

export const auditReportReply = z.object({
  /** Null when no scheme is in force for the class; the lists are empty then. */
  scheme_id: z.int().nullable(),
  /** Active and graduated students. */
  of: z.int(),
  /** Students without a lacking row; null without a scheme, or without students. */
  complete: z.int().nullable(),
  /** By their IDs. */
  students: z.array(
    z.object({
      ...student,
      complete: z.boolean(),
      /** Keys of rows. */
      lacking: z.array(z.string()),
      /** Those of the lacking ones that are on a mark sheet. */
      in_progress: z.array(z.string()),
      /** Earned here and elsewhere. */
      credits: z.int(),
    }),
  ),
  /** How many students have passed each row, are at it, failed it or have not begun; the IDs of all but the first. */
  rows: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      semester: z.int(),
      /** Also by substitution or waiver. */
      passed: z.int(),
      in_progress: z.int(),
      failed: z.int(),
      open: z.int(),
      lacking: z.array(z.string()),
      /** Those of the lacking ones who failed it. */
      failing: z.array(z.string()),
    }),
  ),
});
export type AuditReport = z.infer<typeof auditReportReply>;

const CLASS =
  'A class is a department and batch (`degree`), or one syndicate (`syn`) of it; its active and graduated students count.';
const SEMESTER = 'Without `semester` of the latest one that any of them has recorded.';

const exportCall = {
  description:
    'The `report` with the parameters of its call; `group` selects the students of a result summary. The history has an entry for each file.',
  rights: ['read'],
  query: reportExportQuery,
  replies: { 200: fileReply },
  refuses: [422],
} as const;

/** Figures and lists of a class, for everybody who may read records. */
export const reportCalls = {
  tag: 'Reports',
  calls: {
    'GET /api/reports/classes': {
      summary: 'The classes that there are reports of',
      rights: ['read'],
      replies: { 200: classesReply },
    },
    'GET /api/reports/ranking': {
      summary: 'The students of a class by CGPA or SGPA',
      description: `${CLASS} ${SEMESTER} By the printed average; students without complete results are listed with the reason instead.`,
      rights: ['read'],
      query: rankingQuery,
      replies: { 200: rankingReply },
      refuses: [422],
    },
    'GET /api/reports/result-summary': {
      summary: 'The results of a class in figures, with the students whom they count',
      description: `${CLASS} ${SEMESTER}`,
      rights: ['read'],
      query: semesterReportQuery,
      replies: { 200: resultSummaryReply },
      refuses: [422],
    },
    'GET /api/reports/deans-list': {
      summary: "The dean's list of a class, with each condition of each student",
      description: `${CLASS} ${SEMESTER}`,
      rights: ['read'],
      query: semesterReportQuery,
      replies: { 200: deansListReply },
      refuses: [422],
    },
    'GET /api/reports/degree-check': {
      summary: 'Who of a class in the last semester fulfils the conditions of the degree',
      description: CLASS,
      rights: ['read'],
      query: degreeChecksQuery,
      replies: { 200: degreeChecksReply },
      refuses: [422],
    },
    'GET /api/reports/audit': {
      summary: 'Which rows of the scheme the students of a class lack',
      description: CLASS,
      rights: ['read'],
      query: degreeChecksQuery,
      replies: { 200: auditReportReply },
      refuses: [422],
    },
    'GET /api/reports/export.csv': { summary: 'A report as CSV', ...exportCall },
    'GET /api/reports/export.xlsx': { summary: 'A report as an Excel workbook', ...exportCall },
  },
} satisfies CallGroup;
