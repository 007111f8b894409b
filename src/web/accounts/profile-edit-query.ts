import { queryOptions } from '@tanstack/react-query';
import type { User } from '../../contract/accounts.ts';
import { callVersioned } from '../api.ts';

export const userPath = (userId: number) => `/api/users/${userId}`;

/** An account with its version, for its form. Not kept: a form must begin with what is stored now. */
export const accountToEditQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', 'to-edit', userId],
    queryFn: ({ signal }) => callVersioned<User>('GET', userPath(userId), { signal }),
    gcTime: 0,
    staleTime: 0,
  });
