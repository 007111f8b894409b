import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/**
 * Sends JSON that the database engine has written, past the serializer: on hot lists, taking rows apart and writing
 * them again costs more than all the rest. What such a call answers is held to its schema by a test instead.
 */
export function sendJsonText(reply: FastifyReply, json: string | Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

export interface JsonPage<Place> {
  /** A JSON array. */
  json: string;
  /** Where the next page begins; undefined after the last. */
  next: Place | undefined;
}

/**
 * Sends a whole list as one JSON array, page after page, so that neither memory nor other calls feel its length. The
 * first page is read before anything is sent: what fails then is still answered as an error.
 */
export async function sendJsonPages<Place>(
  reply: FastifyReply,
  pageAfter: (place: Place | undefined) => Promise<JsonPage<Place>>,
): Promise<FastifyReply> {
  const first = await pageAfter(undefined);
  return sendJsonText(reply, first.next === undefined ? first.json : Readable.from(joined(first, pageAfter)));
}

async function* joined<Place>(
  first: JsonPage<Place>,
  pageAfter: (place: Place) => Promise<JsonPage<Place>>,
): AsyncGenerator<string> {
  yield first.json.slice(0, -1);
  let { next } = first;
  while (next !== undefined) {
    await setImmediate();
    const page = await pageAfter(next);
    if (page.json !== '[]') yield `,${page.json.slice(1, -1)}`;
    next = page.next;
  }
  yield ']';
}
