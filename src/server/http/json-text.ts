import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends JSON that the database engine has written, past the serializer: on hot lists, taking rows apart and writing
 * them again costs more than all the rest. What such a call answers is held to its schema by a test instead.
 */
export function sendJsonText(reply: FastifyReply, json: string | Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}
