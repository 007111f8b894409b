import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { HistoryPage, HistoryState, RestorePreview } from '../../contract/history.ts';
import { restorePath } from '../forms/restore-state.ts';
import { call, callWithVersion } from '../lib/api.ts';

/** The history of all records, of a student or of a course, page by page. */
export const historyQuery = (path: string, parameters: Readonly<Record<string, string>>) =>
  infiniteQueryOptions({
    queryKey: ['history', path, parameters],
    queryFn: ({ signal, pageParam }) =>
      call<HistoryPage>(
        'GET',
        `${path}?${new URLSearchParams({ ...parameters, ...(pageParam !== null && { cursor: pageParam }) })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    meta: { isPageRead: true, loading: 'history' },
  });

/** What a restore would change, with the version of the record that was compared. */
export const restorePreviewQuery = (entry: number, state: HistoryState) =>
  queryOptions({
    queryKey: ['history', 'restore', entry, state],
    queryFn: ({ signal }) => callWithVersion<RestorePreview>('GET', restorePath(entry, state), { signal }),
    // Never cached: others may change the record at any time.
    gcTime: 0,
  });
