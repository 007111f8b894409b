import { queryOptions } from '@tanstack/react-query';
import type { SignInMethods } from '../../contract/second-factor.ts';
import { call } from '../api.ts';

/** How the person signs in. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => call<SignInMethods>('GET', '/api/sign-in-methods', { signal }),
});
