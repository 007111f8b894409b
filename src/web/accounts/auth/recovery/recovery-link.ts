import { useEffect, useState } from 'react';
import { readMeta } from '../../../lib/page/read-meta.ts';

/** Whether recovery links are mailed. */
export const isRecoveryMailEnabled = (): boolean => readMeta('sims-recovery') === 'mail';

const readToken = () => new URLSearchParams(window.location.search).get('token') ?? '';

/**
 * The token of the mailed link, or an empty text. Read once and then removed from the URL, so that it is not left
 * in the browser history, a bookmark or a screen share.
 */
export function useResetToken(): string {
  const [token] = useState(readToken);
  useEffect(() => {
    if (window.location.search !== '') {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return token;
}
