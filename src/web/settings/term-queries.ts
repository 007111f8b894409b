import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call, callWithVersion } from '../lib/call.ts';

/** All terms, the latest start first. */
export const termsQuery = queryOptions({
  queryKey: ['terms', 'list'],
  queryFn: ({ signal }) => call('GET /api/terms', { signal }),
});

/** A term with its version, for a form. Never cached: a form must start from the stored values. */
export const editTermQuery = (termId: string) =>
  queryOptions({
    queryKey: ['terms', 'to-edit', termId],
    queryFn: ({ signal }) =>
      callWithVersion('GET /api/terms/:term_id', { params: { term_id: termId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** After a save or delete: removes the cached list, so that stale data is never shown; one on the screen is read again. */
export function invalidateTerms(queries: QueryClient): void {
  const { queryKey } = termsQuery;
  queries.removeQueries({ queryKey, type: 'inactive' });
  void queries.invalidateQueries({ queryKey });
}
