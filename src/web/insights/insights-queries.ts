import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CgpaSplit,
  Cgpas,
  ClassSize,
  CourseResults,
  Falls,
  LowCgpas,
  StandingCounts,
} from '../../contract/insights.ts';
import { call } from '../lib/api.ts';

/** The figures of one panel. Previous figures stay until those for another split or threshold are loaded. */
const figuresQuery = <Figures>(panel: string, asked: Readonly<Record<string, string>> = {}) =>
  queryOptions({
    queryKey: ['insights', panel, asked],
    queryFn: ({ signal }) =>
      call<Figures>('GET', `/api/insights/${panel}?${new URLSearchParams(asked)}`, { signal }),
    placeholderData: keepPreviousData,
  });

export const cgpasQuery = (split: CgpaSplit) => figuresQuery<Cgpas>('cgpas', { split });
export const lowCgpasQuery = (cgpa_below: string) => figuresQuery<LowCgpas>('low-cgpas', { cgpa_below });
export const fallsQuery = (fell_by: string) => figuresQuery<Falls>('falls', { fell_by });
export const passRatesQuery = figuresQuery<CourseResults[]>('pass-rates');
export const standingsQuery = figuresQuery<StandingCounts>('standings');
export const classSizesQuery = figuresQuery<ClassSize[]>('class-sizes');
