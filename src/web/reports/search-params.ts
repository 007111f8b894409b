import type { RankedBy, Report } from '../../contract/grading/reports.ts';
import { RESULT_GROUPS, type ResultGroup } from '../../domain/grading/class-results.ts';
import { SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import { DEPARTMENT_CODES, type Department, SYNDICATES } from '../../domain/student.ts';
import { searchParamsParser, shortText, wholeNumber } from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import { semesterNumber } from '../students/semester-search-params.ts';

const REPORTS = [
  'ranking',
  'result-summary',
  'deans-list',
  'degree-check',
  'audit',
  'shortage',
] as const satisfies readonly Report[];
/** The reports that have a page. */
export type ShownReport = (typeof REPORTS)[number];
/** The students of an audit by what they lack. */
export const AUDIT_GROUPS = ['all', 'complete', 'in-progress', 'lacking'] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];
const AUDIT_VIEWS = ['students', 'rows'] as const;
/** The students of one row of an audit by how far they have come. */
export const AUDIT_STATES = ['passed', 'in-progress', 'failed', 'open'] as const;
export type AuditState = (typeof AUDIT_STATES)[number];
const RANKED_BY = ['cgpa', 'sgpa'] as const satisfies readonly RankedBy[];

/** The search parameters of Reports. Absent means the default. */
export interface ReportsSearchParams {
  report?: ShownReport;
  department?: Department;
  degree?: string;
  syn?: (typeof SYNDICATES)[number];
  semester?: number;
  by?: RankedBy;
  /** The term of the shortage of attendance; the current one when absent. */
  term_id?: number;
  /** The students of a result summary that are listed. */
  group?: ResultGroup;
  /** The students of an audit that are listed. */
  audit?: AuditGroup;
  /** What an audit lists. */
  view?: (typeof AUDIT_VIEWS)[number];
  /** The key of the row whose students an audit lists, those in one state. */
  row?: string;
  state?: AuditState;
}

const findTermNumber = wholeNumber(2 ** 31 - 1);

export const parseReportsSearchParams = searchParamsParser<ReportsSearchParams>({
  report: (value) => oneOf(REPORTS, value),
  department: (value) => oneOf(DEPARTMENT_CODES, value),
  degree: shortText(20),
  syn: (value) => oneOf(SYNDICATES, value),
  semester: semesterNumber,
  by: (value) => oneOf(RANKED_BY, value),
  term_id: (value) => Number(findTermNumber(String(value ?? ''))) || undefined,
  group: (value) => oneOf(RESULT_GROUPS, value),
  audit: (value) => oneOf(AUDIT_GROUPS, value),
  view: (value) => oneOf(AUDIT_VIEWS, value),
  row: shortText(SCHEME_LIMITS.key),
  state: (value) => oneOf(AUDIT_STATES, value),
});

export const useReportsSearchParams = () => useSearchParams(parseReportsSearchParams);

/** A class that has been chosen. */
export type ChosenClass = Required<Pick<ReportsSearchParams, 'department' | 'degree'>> &
  Pick<ReportsSearchParams, 'syn'>;

export function toChosenClass({ department, degree, syn }: ReportsSearchParams): ChosenClass | null {
  if (department === undefined || degree === undefined) return null;
  return { department, degree, ...(syn && { syn }) };
}

/** A class as `CE-45`, or `CE-45-A` of one syndicate. */
export const className = ({ department, degree, syn }: ChosenClass) =>
  [department, degree, ...(syn === undefined ? [] : [syn])].join('-');
