import { queryOptions } from '@tanstack/react-query';
import type { Role } from '../../contract/accounts/accounts.ts';
import { call, callWithVersion } from '../lib/call.ts';

/** All accounts. */
export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => call('GET /api/users', { signal }),
});

/** An account with its version, for its form. Never cached: a form must start from the stored values. */
export const editAccountQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', 'to-edit', userId],
    queryFn: ({ signal }) => callWithVersion('GET /api/users/:id', { params: { id: userId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** The sign-in methods of every account, for administrators only. */
export const accountStatesQuery = queryOptions({
  queryKey: ['users', 'states'],
  queryFn: ({ signal }) => call('GET /api/account-states', { signal }),
});

/** The current user's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /api/sessions', { signal }),
});

/** The current user's sign-in methods. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => call('GET /api/sign-in-methods', { signal }),
});

const LABELS: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  staff: 'Staff',
  viewer: 'Viewer',
  teacher: 'Teacher',
};

export const ROLE_OPTIONS = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

/** The label of a role; the session may hold a role that this version doesn't know. */
export const roleLabel = (role: string) => ROLE_OPTIONS.find(({ value }) => value === role)?.label ?? role;
