import { useNavigate } from '@tanstack/react-router';
import { call } from './api.ts';
import { queryClient } from './query-client.ts';
import { beginLogout, endSession } from './session.ts';

/**
 * Ends the session, here even when the server can't be reached: there it then expires.
 *
 * @param onEnded called before the page changes
 */
export function useLogOut(onEnded = () => {}): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    // The request already carries the token, so the token can be removed before the response.
    const response = call('POST', '/api/logout').catch(() => undefined);
    beginLogout();
    await response;
    endSession();
    onEnded();
    await navigate({ to: '/login' });
    // Last: otherwise the page being left would refetch its data.
    queryClient.clear();
  };
}
