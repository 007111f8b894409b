import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CgpaSplit } from '../../contract/insights.ts';
import { type CallAddress, type CallKey, type Optional, toQueryFunction } from '../lib/call.ts';

/** The figures of one panel. Previous figures stay until those for another split or threshold are loaded. */
const figuresQuery = <Key extends CallKey & `GET /api/insights/${string}`>(
  key: Key,
  ...address: Optional<CallAddress<Key>>
) =>
  queryOptions({
    queryKey: ['insights', key, ...address],
    queryFn: toQueryFunction(key, ...address),
    placeholderData: keepPreviousData,
  });

export const cgpasQuery = (split: CgpaSplit) => figuresQuery('GET /api/insights/cgpas', { query: { split } });
export const lowCgpasQuery = (cgpa_below: string) =>
  figuresQuery('GET /api/insights/low-cgpas', { query: { cgpa_below } });
export const fallsQuery = (fell_by: string) =>
  figuresQuery('GET /api/insights/falls', { query: { fell_by } });
export const passRatesQuery = figuresQuery('GET /api/insights/pass-rates');
export const standingsQuery = figuresQuery('GET /api/insights/standings');
export const classSizesQuery = figuresQuery('GET /api/insights/class-sizes');
