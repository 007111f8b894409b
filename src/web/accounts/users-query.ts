import { queryOptions } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { call } from '../api.ts';

/** Everybody with an account. */
export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => call<User[]>('GET', '/api/users', { signal }),
});
