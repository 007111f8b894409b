import type { FastifyRequest } from 'fastify';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/schema.ts';
import { requireActor, SAFE_METHODS } from '../actor.ts';

/** The database for lists, exports and statistics: a replica only if it has every change that this session made. */
export const readDatabaseFor = (db: Database, request: FastifyRequest): Promise<Db> =>
  db.readAfter(requireActor(request).writtenUpTo);

/** Stores the position of each write with its session, before the call is answered. Does nothing without a replica. */
export function trackWrites(scope: App, { noteWrite }: Database): void {
  if (noteWrite === undefined) return;
  scope.addHook('onSend', async (request, reply) => {
    const isWrite = !SAFE_METHODS.has(request.method) && !request.routeOptions.config.onlyReads;
    if (!isWrite || reply.statusCode >= 400 || request.actor === null) return;
    await noteWrite(request.actor.tokenHash).catch((err: unknown) => {
      // The change is committed. The primary has just failed, and the replica will take its place.
      request.log.warn({ err }, 'write position of a session not stored');
    });
  });
}
