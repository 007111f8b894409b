import type { RankedBy, Report } from '../../contract/grading/reports.ts';
import { RESULT_GROUPS, type ResultGroup } from '../../domain/grading/class-results.ts';
import { DEPARTMENT_CODES, type Department, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';

const REPORTS = [
  'ranking',
  'result-summary',
  'deans-list',
  'degree-check',
] as const satisfies readonly Report[];
const RANKED_BY = ['cgpa', 'sgpa'] as const satisfies readonly RankedBy[];

/** The search parameters of Reports. Absent means the default. */
export interface ReportsSearchParams {
  report?: Report;
  department?: Department;
  degree?: string;
  syn?: (typeof SYNDICATES)[number];
  semester?: number;
  by?: RankedBy;
  /** The students of a result summary that are listed. */
  group?: ResultGroup;
}

export const useReportsSearchParams = () => useSearchParams(parseReportsSearchParams);

/** Parses search parameters; unknown and invalid ones are dropped. */
export function parseReportsSearchParams(search: Readonly<Record<string, unknown>>): ReportsSearchParams {
  const { degree } = search;
  const semester = Number(search.semester);
  const read = {
    report: oneOf(REPORTS, search.report),
    department: oneOf(DEPARTMENT_CODES, search.department),
    degree: typeof degree === 'string' && degree.trim() !== '' && degree.length <= 20 ? degree : undefined,
    syn: oneOf(SYNDICATES, search.syn),
    semester:
      Number.isInteger(semester) && semester >= 1 && semester <= SEMESTER_COUNT ? semester : undefined,
    by: oneOf(RANKED_BY, search.by),
    group: oneOf(RESULT_GROUPS, search.group),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

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
