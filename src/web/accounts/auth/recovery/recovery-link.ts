import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { readMeta } from '../../../lib/page/read-meta.ts';

/** Whether recovery links are mailed. */
export const isRecoveryMailEnabled = (): boolean => readMeta('sims-recovery') === 'mail';

/** Behind the hash, which no log of a server has; links of earlier versions have the token in the query. */
const readToken = ({ hash, searchStr }: { hash: string; searchStr: string }): string =>
  new URLSearchParams(hash).get('token') ?? new URLSearchParams(searchStr).get('token') ?? '';

/**
 * The token of the link, or an empty text. Removed from the URL once it is read, so that it is not left in the browser history, a
 * bookmark or a screen share.
 */
export function useResetToken(): string {
  const linked = useLocation({ select: readToken });
  const [token, setToken] = useState(linked);
  // Another link that is opened in this tab loads no page.
  if (linked !== '' && linked !== token) setToken(linked);
  useEffect(() => {
    if (linked !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [linked]);
  return token;
}
