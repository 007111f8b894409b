import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  DeansList,
  DegreeChecks,
  RankedBy,
  Ranking,
  ReportClass,
  ResultSummary,
} from '../../contract/grading/reports.ts';
import { call } from '../lib/api.ts';
import type { ChosenClass } from './search-params.ts';

/** Previous students stay until those of another semester or order are loaded. */
const reportQuery = <Report>(
  report: string,
  asked: Readonly<Record<string, string | number | undefined>> = {},
) => {
  const parameters = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return queryOptions({
    queryKey: ['reports', report, asked],
    queryFn: ({ signal }) =>
      call<Report>('GET', `/api/reports/${report}?${new URLSearchParams(parameters)}`, { signal }),
    placeholderData: keepPreviousData,
  });
};

export const classesQuery = reportQuery<ReportClass[]>('classes');

type Semester = number | undefined;

export const rankingQuery = (chosen: ChosenClass, semester: Semester, by: RankedBy | undefined) =>
  reportQuery<Ranking>('ranking', { ...chosen, semester, by });
export const resultSummaryQuery = (chosen: ChosenClass, semester: Semester) =>
  reportQuery<ResultSummary>('result-summary', { ...chosen, semester });
export const deansListQuery = (chosen: ChosenClass, semester: Semester) =>
  reportQuery<DeansList>('deans-list', { ...chosen, semester });
export const degreeChecksQuery = (chosen: ChosenClass) =>
  reportQuery<DegreeChecks>('degree-check', { ...chosen });
