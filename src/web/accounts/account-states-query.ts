import { queryOptions } from '@tanstack/react-query';
import type { AccountState } from '../../contract/account-states.ts';
import { call } from '../api.ts';

/** How people may sign in to each account; told to administrators alone. */
export const accountStatesQuery = queryOptions({
  queryKey: ['users', 'states'],
  queryFn: ({ signal }) => call<AccountState[]>('GET', '/api/account-states', { signal }),
});
