/** An element in which the server says something in the HTML page: API calls need a sign-in. */
export const findMeta = (name: string): Element | null => document.querySelector(`meta[name="${name}"]`);

/** What such an element says; null without one. */
export const readMeta = (name: string): string | null => findMeta(name)?.getAttribute('content') ?? null;
