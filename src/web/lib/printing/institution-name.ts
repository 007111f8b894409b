import { queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';

/** The name at the head of what is printed; null without one. Read before anything is printed: a page that is asked for on paper can't wait for it. */
export const institutionNameQuery = queryOptions({
  queryKey: ['institution', 'name'],
  queryFn: async ({ signal }) => (await call('GET /api/institution', { signal })).name,
  staleTime: Number.POSITIVE_INFINITY,
});
