import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RankedBy } from '../../contract/grading/reports.ts';
import { type CallAddress, type CallKey, type Optional, toQueryFunction } from '../lib/call.ts';
import type { ChosenClass } from './search-params.ts';

/** Previous students stay until those of another semester or order are loaded. */
const reportQuery = <Key extends CallKey & `GET /api/reports/${string}`>(
  key: Key,
  ...address: Optional<CallAddress<Key>>
) =>
  queryOptions({
    queryKey: ['reports', key, ...address],
    queryFn: toQueryFunction(key, ...address),
    placeholderData: keepPreviousData,
  });

export const classesQuery = reportQuery('GET /api/reports/classes');

type Semester = number | undefined;

export const rankingQuery = (chosen: ChosenClass, semester: Semester, by: RankedBy | undefined) =>
  reportQuery('GET /api/reports/ranking', { query: { ...chosen, semester, by } });
export const resultSummaryQuery = (chosen: ChosenClass, semester: Semester) =>
  reportQuery('GET /api/reports/result-summary', { query: { ...chosen, semester } });
export const deansListQuery = (chosen: ChosenClass, semester: Semester) =>
  reportQuery('GET /api/reports/deans-list', { query: { ...chosen, semester } });
export const degreeChecksQuery = (query: ChosenClass) =>
  reportQuery('GET /api/reports/degree-check', { query });
export const auditReportQuery = (query: ChosenClass) => reportQuery('GET /api/reports/audit', { query });
export const shortageQuery = (chosen: ChosenClass, termId: number) =>
  reportQuery('GET /api/reports/shortage', { query: { ...chosen, term_id: termId } });
