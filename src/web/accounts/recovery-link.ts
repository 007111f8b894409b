import { useEffect, useState } from 'react';

/** Whether recovery links are mailed. The page itself says so, because nobody is signed in yet. */
export function areLinksMailed(): boolean {
  return document.querySelector('meta[name="sims-recovery"]')?.getAttribute('content') === 'mail';
}

const tokenOfAddress = () => new URLSearchParams(window.location.search).get('token') ?? '';

/**
 * The token of the link that the page was opened by, empty without one. It is read once and then taken out of the
 * address, so that neither the history, a bookmark nor a shared screen gives it away.
 */
export function useLinkToken(): string {
  const [token] = useState(tokenOfAddress);
  useEffect(() => {
    if (window.location.search !== '') {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return token;
}
