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
 * `GET http://host/api` asks for the same as `GET /api`, and has to be taken (RFC 9112, 3.2.2). The host is dropped
 * first of all, so that nothing here takes a call for a page because its address begins otherwise.
 */
export const toOriginForm = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/');
