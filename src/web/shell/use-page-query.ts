import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';

type PageQueryOptions<Data, Shown, Key extends QueryKey> = UseQueryOptions<Data, Error, Shown, Key> & {
  /** What is loading, as the overlay says it: 'students' gives 'Loading students'. */
  loading?: string | undefined;
};

/**
 * The read that a page can't be shown without: while there is nothing to show yet, the loading overlay covers
 * the page and Escape aborts the request. The `queryFn` must hand its `signal` on to `call`.
 */
export function usePageQuery<Data, Shown = Data, Key extends QueryKey = QueryKey>({
  loading,
  ...options
}: PageQueryOptions<Data, Shown, Key>) {
  return useQuery({ ...options, meta: { ...options.meta, isPageRead: true, loading } });
}
