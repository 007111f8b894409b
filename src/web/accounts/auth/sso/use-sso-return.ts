import { useEffect, useState } from 'react';
import { readMeta } from '../../../lib/page/read-meta.ts';

/** The name of the identity provider, or null. */
export const ssoProviderName = (): string | null => readMeta('sims-provider');

/** Messages for the error codes that the provider's redirect can carry. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  expired: 'The sign-in took too long, or was started in another browser. Sign in again.',
  denied: 'The sign-in was cancelled at the provider.',
  unverified: 'Your email address is not verified there, so it can’t be used to sign in here.',
};
const DEFAULT_ERROR_TEXT = 'The sign-in failed. Try again, or use email and password.';

const hashParam = (name: string) => new URLSearchParams(window.location.hash.slice(1)).get(name);

/**
 * The result of the provider's redirect: a ticket to complete the sign-in, or an error message. Read once and then
 * removed from the URL, so that it is not left in the browser history or a screen share.
 */
export function useSsoReturn(): { ticket: string | null; refusal: string | null } {
  const [result] = useState(() => {
    const errorCode = hashParam('sign-in-refused');
    return {
      ticket: hashParam('sign-in'),
      refusal: errorCode === null ? null : (ERROR_TEXTS[errorCode] ?? DEFAULT_ERROR_TEXT),
    };
  });
  useEffect(() => {
    if (hashParam('sign-in') !== null || hashParam('sign-in-refused') !== null) {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return result;
}
