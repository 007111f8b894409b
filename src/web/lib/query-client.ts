import { QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A failed read is shown immediately with a button to try again; silent retries only make users wait.
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
    },
  },
});

type PageQueryOptions<Data, Shown, Key extends QueryKey> = UseQueryOptions<Data, Error, Shown, Key> & {
  /** The text of the overlay: 'students' gives 'Loading students'. */
  loading?: string | undefined;
};

/**
 * A read that the page can't be shown without: while it is pending, the loading overlay covers
 * the page and Escape aborts the request. The `queryFn` must pass its `signal` to `call`.
 */
export function usePageQuery<Data, Shown = Data, Key extends QueryKey = QueryKey>({
  loading,
  ...options
}: PageQueryOptions<Data, Shown, Key>) {
  return useQuery({ ...options, meta: { ...options.meta, isPageRead: true, loading } });
}
