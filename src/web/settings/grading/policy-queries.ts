import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Policy } from '../../../contract/grading/policies.ts';
import { call } from '../../lib/call.ts';

/** How often the progress is read again while a policy is applied. */
const PROGRESS_INTERVAL_MS = 1500;

/** All policies, the highest number first. */
export const policiesQuery = queryOptions({
  queryKey: ['policies', 'list'],
  queryFn: ({ signal }) => call('GET /api/policies', { signal }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ progress }) => progress !== null) ? PROGRESS_INTERVAL_MS : false,
});

/** The batches that have students, the latest first. */
export const batchesQuery = queryOptions({
  queryKey: ['policies', 'batches'],
  queryFn: ({ signal }) => call('GET /api/policies/batches', { signal }),
});

/** A new policy may change the figures of any student. */
export function invalidatePolicies(queries: QueryClient): void {
  for (const queryKey of [policiesQuery.queryKey, ['students']]) {
    queries.removeQueries({ queryKey, type: 'inactive' });
    void queries.invalidateQueries({ queryKey });
  }
}

/** The policy that holds for a batch; null for batches that are named nowhere. */
export const policyInForce = (policies: readonly Policy[], degree: string | null): Policy | undefined =>
  policies.find(({ degrees }) => degrees === null || (degree !== null && degrees.includes(degree)));

/** The batches of a policy in words. */
export function batchesText(degrees: readonly string[] | null): string {
  if (degrees === null) return 'All batches';
  return `${degrees.length === 1 ? 'Batch' : 'Batches'} ${degrees.join(', ')}`;
}
