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
  if (first.next === undefined) return sendJsonText(reply, first.json);
  const rest = pagesFrom(first.next, pageAfter);
  rest.unshift(first.json.slice(0, -1));
  return sendJsonText(reply, rest);
}

/**
 * The elements of the pages from a place on, with a comma before and the bracket after them. A page is read only when the one before
 * has been taken, and nothing keeps it: hundreds of clients that read no further shall not be felt.
 */
function pagesFrom<Place>(begin: Place, pageAfter: (place: Place) => Promise<JsonPage<Place>>): Readable {
  let place = begin;
  const readPage = async (pages: Readable) => {
    await turn();
    if (pages.destroyed) return;
    const { json, next } = await pageAfter(place);
    const elements = json === '[]' ? '' : `,${json.slice(1, -1)}`;
    if (next === undefined) {
      pages.push(`${elements}]`);
      pages.push(null);
    } else {
      place = next;
      pages.push(elements);
    }
  };
  return new Readable({
    objectMode: true,
    highWaterMark: 0,
    read() {
      readPage(this).catch((error: Error) => this.destroy(error));
    },
  });
}

let turns: Promise<unknown> = Promise.resolve();

/** Waits until no other list is about to read a page: hundreds of lists at once hold other calls up no longer than one. */
function turn(): Promise<unknown> {
  turns = turns.then(() => setImmediate());
  return turns;
}
