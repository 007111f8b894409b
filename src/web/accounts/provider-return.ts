import { useEffect, useState } from 'react';

/** What the provider is called that people can sign in with, or null. The page itself says so: nobody is signed in yet. */
export function providerName(): string | null {
  return document.querySelector('meta[name="sims-provider"]')?.getAttribute('content') ?? null;
}

/** Why the browser came back from the provider with nothing, in plain words. */
const REFUSALS: Readonly<Record<string, string>> = {
  expired: 'That sign-in took too long, or began in another browser. Start it again.',
  denied: 'The sign-in was broken off there.',
  unverified: 'Your email address is not verified there, so it can’t be used to sign in here.',
};
const FAILED = 'Signing in there did not work. Try again, or use email and password.';

const partOf = (name: string) => new URLSearchParams(window.location.hash.slice(1)).get(name);

/**
 * What the browser came back with from the provider: a ticket to finish with, or why there is none. It is read once and
 * then taken out of the address, so that neither the history nor a shared screen gives it away.
 */
export function useProviderReturn(): { ticket: string | null; refusal: string | null } {
  const [back] = useState(() => {
    const refused = partOf('sign-in-refused');
    return {
      ticket: partOf('sign-in'),
      refusal: refused === null ? null : (REFUSALS[refused] ?? FAILED),
    };
  });
  useEffect(() => {
    if (partOf('sign-in') !== null || partOf('sign-in-refused') !== null) {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return back;
}
