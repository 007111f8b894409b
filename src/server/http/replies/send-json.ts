import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/**
 * Sends JSON written by the database engine, without the serializer: for large lists, parsing and writing it again would
 * cost more than everything else. A test compares such replies with their schema instead.
 */
export function sendJsonText(reply: FastifyReply, json: string | Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Without the serializer, which takes longer than computing such replies; tests compare them with their schemas. */
export const sendObject = (reply: FastifyReply, object: object) =>
  sendJsonText(reply, JSON.stringify(object));

export interface JsonPage<Position> {
  /** A JSON array. */
  json: string;
  /** The position of the next page; undefined after the last. */
  next: Position | undefined;
}

/**
 * Sends a whole list as one JSON array, page by page, so that a long list neither fills the memory nor delays other calls. The
 * first page is read before anything is sent, so that a failure can still be answered as an error.
 */
export async function sendJsonPages<Position>(
  reply: FastifyReply,
  pageAfter: (position: Position | undefined) => Promise<JsonPage<Position>>,
): Promise<FastifyReply> {
  const first = await pageAfter(undefined);
  if (first.next === undefined) return sendJsonText(reply, first.json);
  const rest = pagesFrom(first.next, pageAfter);
  rest.unshift(first.json.slice(0, -1));
  return sendJsonText(reply, rest);
}

/**
 * The elements of the pages from a position on, each with a comma before it, and the closing bracket. A page is read only when
 * the one before has been sent, so slow clients cost no memory.
 */
function pagesFrom<Position>(
  begin: Position,
  pageAfter: (position: Position) => Promise<JsonPage<Position>>,
): Readable {
  let position = begin;
  const readPage = async (pages: Readable) => {
    await waitForTurn();
    if (pages.destroyed) return;
    const { json, next } = await pageAfter(position);
    const elements = json === '[]' ? '' : `,${json.slice(1, -1)}`;
    if (next === undefined) {
      pages.push(`${elements}]`);
      pages.push(null);
    } else {
      position = next;
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

/** Lists read their pages one after the other, so that hundreds of concurrent lists delay other calls no longer than one. */
function waitForTurn(): Promise<unknown> {
  turns = turns.then(() => setImmediate());
  return turns;
}
