import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../../contract/sessions.ts';
import { call } from '../api.ts';

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<Session[]>('GET', '/api/sessions', { signal }),
});
