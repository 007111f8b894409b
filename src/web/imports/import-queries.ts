import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { ImportSummary } from '../../contract/imports.ts';
import { call } from '../lib/call.ts';
import { useCurrentUser } from '../lib/session.ts';
import type { ImportSearchParams } from './search-params.ts';

/** How often the progress is read again while an import is applied. */
const PROGRESS_INTERVAL_MS = 1000;
/** Rows of a preview that are read at once. */
const ROWS_PER_CALL = 100;

/** All imports, the newest first. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call('GET /api/imports', { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.some((item) => item.state === 'applying') ? PROGRESS_INTERVAL_MS : false,
});

export const importQuery = (importId: number) =>
  queryOptions({
    queryKey: ['imports', 'one', importId],
    queryFn: ({ signal }) => call('GET /api/imports/:import_id', { params: { import_id: importId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'applying' ? PROGRESS_INTERVAL_MS : false),
  });

/** All rows of an import's preview that are cached. */
export const importRowsKey = (importId: number) => ['imports', 'rows', importId] as const;

/** The rows of the latest preview in pages, until another preview is made. */
export const importRowsQuery = (
  importId: number,
  { q, state, order = 'refused-first' }: ImportSearchParams,
) =>
  infiniteQueryOptions({
    queryKey: [...importRowsKey(importId), { q, state, order }],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/imports/:import_id/rows', {
        params: { import_id: importId },
        query: { q, state, order, cursor: pageParam, limit: ROWS_PER_CALL },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Only the person who uploaded an import and administrators can continue it. */
export function useCanActOn({ created_by }: Pick<ImportSummary, 'created_by'>): boolean {
  const user = useCurrentUser();
  return user !== null && (user.role === 'admin' || created_by?.id === user.id);
}

/** After an import was applied or undone, any record may have changed. */
export function resetRecords(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== 'imports' });
  void queries.invalidateQueries();
}
