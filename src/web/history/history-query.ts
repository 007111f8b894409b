import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { HistoryPage, HistoryState, RestorePreview } from '../../contract/history.ts';
import { call, callVersioned } from '../api.ts';

/** The history of everything, of a student or of a course, page after page. */
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

export const restorePath = (entry: number, state: HistoryState) =>
  `/api/history/${entry}/restore?state=${state}`;

/** What restoring a state would do, with the version that it is said of. */
export const restorePreviewQuery = (entry: number, state: HistoryState) =>
  queryOptions({
    queryKey: ['history', 'restore', entry, state],
    queryFn: ({ signal }) => callVersioned<RestorePreview>('GET', restorePath(entry, state), { signal }),
    // Others may change the record at any time.
    gcTime: 0,
  });
