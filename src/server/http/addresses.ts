import type { IncomingMessage } from 'node:http';
import type { App } from '../app-types.ts';

/** Characters of an address; the longest of the product's own, a search with all its filters, has some two thousand. */
const LONGEST = 8192;

/** An address that is too long. */
class LongAddress extends Error {
  readonly statusCode = 414;
}

export function refuseLongAddresses(app: App): void {
  app.addHook('onRequest', async ({ url }) => {
    if (url.length > LONGEST) throw new LongAddress();
  });
}

/**
 * `GET http://host/api` asks for the same as `GET /api`, and has to be taken (RFC 9112, 3.2.2), and so does
 * `GET /%61pi` (RFC 3986, 6.2.2.2). The host is dropped and what needs no escape is written without one first of all, so
 * that nothing here takes a call for a page because its address is spelt otherwise.
 */
export function toOriginForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const own = url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/');
  const path = own.replace(/\?.*$/s, '');
  if (!path.includes('%')) return own;
  return path.replace(/%([2-7][0-9a-f])/gi, plainly) + own.slice(path.length);
}

/** Letters, digits and the few signs that mean the same with an escape and without. */
function plainly(escaped: string, digits: string): string {
  const sign = String.fromCharCode(Number.parseInt(digits, 16));
  return /[A-Za-z0-9_~-]/.test(sign) ? sign : escaped;
}
