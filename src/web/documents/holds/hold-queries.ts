import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import type { HoldsSearchParams } from './search-params.ts';

/** Everything cached of holds, and of what they block. */
export const HOLDS_KEY = ['holds'] as const;
/** What a change of a hold makes outdated. */
export const AFTER_HOLDS = [HOLDS_KEY, ['documents', 'preview'], ['home']] as const;

export const studentHoldsQuery = (studentId: string) =>
  queryOptions({
    queryKey: [...HOLDS_KEY, 'student', studentId],
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/holds', { params: { id: studentId }, signal, hasOverlay: false }),
  });

/** Holds of all students, the latest first; active ones unless another state is asked for. */
export const holdsQuery = ({ state = 'active', ...filter }: HoldsSearchParams) =>
  infiniteQueryOptions({
    queryKey: [...HOLDS_KEY, 'list', state, filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/holds', { query: { ...filter, state, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** How many holds are active. */
export const activeHoldsQuery = queryOptions({
  queryKey: [...HOLDS_KEY, 'active'],
  queryFn: async ({ signal }) =>
    (await call('GET /api/holds', { query: { state: 'active', limit: 1 }, signal, hasOverlay: false })).total,
});
