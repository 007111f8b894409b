import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';
import type { Database } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { actorOf, READS } from './authentication.ts';

/** What a list, an export or a figure is read from: never what lacks a change that this session was told is made. */
export const readingFor = (db: Database, request: FastifyRequest): Promise<Db> =>
  db.readAfter(actorOf(request).writtenUpTo);

/** Remembers with the session, before its call is answered, how far it has written. Costs nothing where nobody asks. */
export function rememberWrites(scope: App, { noteWrite }: Database): void {
  if (noteWrite === undefined) return;
  scope.addHook('onSend', async (request, reply) => {
    const isWrite = !READS.has(request.method) && !request.routeOptions.config.onlyReads;
    if (!isWrite || reply.statusCode >= 400 || request.actor === null) return;
    await noteWrite(request.actor.tokenHash).catch((err: unknown) => {
      // The change is made all the same. The server it was made on has just gone, and the replica will take its place.
      request.log.warn({ err }, 'write of a session not noted');
    });
  });
}
