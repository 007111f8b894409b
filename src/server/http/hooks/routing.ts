import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../app-types.ts';

/** The longest of our own, a search with all filters, has some 2,000 characters. */
const MAX_URL_LENGTH = 8192;

class UrlTooLong extends Error {
  readonly statusCode = 414;
}

export function rejectLongUrls(app: App): void {
  app.addHook('onRequest', ({ url }, _reply, done) => {
    if (url.length > MAX_URL_LENGTH) throw new UrlTooLong();
    done();
  });
}

/**
 * Normalizes a request target before routing: removes the host, since `GET http://host/api` means `GET /api` and has to be
 * accepted (RFC 9112, 3.2.2), and decodes escapes that are not needed, since `/%61pi` is `/api` (RFC 3986, 6.2.2.2).
 * Otherwise checks for `/api` would miss such a call.
 */
export function toOriginForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const own = url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/');
  const path = own.replace(/\?.*$/s, '');
  if (!path.includes('%')) return own;
  return path.replace(/%([2-7][0-9a-f])/gi, decodeUnreserved) + own.slice(path.length);
}

/** Decodes letters, digits and the other characters that never need an escape. */
function decodeUnreserved(escaped: string, digits: string): string {
  const char = String.fromCharCode(Number.parseInt(digits, 16));
  return /[A-Za-z0-9_~-]/.test(char) ? char : escaped;
}

/**
 * Answers the allowed methods of a path, for a 405 with `Allow` where the router would answer 404. Call it before the routes
 * are added. Use the result only when no route has matched: a record may have an id that is also part of another path
 * (`family`).
 */
export function trackAllowedMethods(app: FastifyInstance): (path: string) => string[] {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = known.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    known.set(url, route);
  });
  return (path) => {
    const matching = [...known.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))];
  };
}

/** A parameter may be followed by its own pattern, such as `(^\d+$)`. */
const toPattern = (url: string) =>
  new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:\w+(?:\(\^([^)]*)\$\))?/g, (_, allowed?: string) => allowed ?? '[^/]+')}$`,
  );
