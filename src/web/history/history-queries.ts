import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { HistoryState } from '../../contract/history.ts';
import { type CallAddress, type CallKey, call, callWithVersion } from '../lib/call.ts';

type HistoryKey = Extract<CallKey, `GET /api/${string}history`>;
/** The call of a history: of all records, or of a student, a course or a mark sheet. */
export type HistorySource = { [Key in HistoryKey]: { key: Key } & CallAddress<Key> }[HistoryKey];

/** A history, page by page. */
export const historyQuery = (
  { key, ...address }: HistorySource,
  parameters: Readonly<Record<string, string>>,
) =>
  infiniteQueryOptions({
    queryKey: ['history', key, address, parameters],
    queryFn: ({ signal, pageParam }) =>
      call(key, { ...address, query: { ...parameters, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    meta: { isPageRead: true, loading: 'history' },
  });

/** The changes of a restore, with the version of the record that was compared. */
export const restorePreviewQuery = (entry: number, state: HistoryState) =>
  queryOptions({
    queryKey: ['history', 'restore', entry, state],
    queryFn: ({ signal }) =>
      callWithVersion('GET /api/history/:entry/restore', { params: { entry }, query: { state }, signal }),
    // Never cached: others may change the record at any time.
    gcTime: 0,
  });
