/** An element in which the server says something in the HTML page: API calls need a sign-in. */
export const findMeta = (name: string): Element | null => document.querySelector(`meta[name="${name}"]`);

/** The content of a meta element; null without one. */
export const readMeta = (name: string): string | null => findMeta(name)?.getAttribute('content') ?? null;
