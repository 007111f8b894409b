import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { escapeUnsafeCharacters } from '../../../domain/control-characters.ts';
import type { LogLevel } from '../../settings/environment.ts';

/**
 * Logs JSON lines. The detail of a PostgreSQL error is removed: it contains the rejected row, which may include a password
 * hash.
 */
export const createLogger = (level: LogLevel, to?: pino.DestinationStream) =>
  pino(
    { level, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: ['err.detail'], remove: true } },
    to,
  );

/** Logs one line per request, without its query (which may contain a token), headers and body. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        // Non-ASCII bytes arrive as they were sent, including control characters.
        path: escapeUnsafeCharacters(request.url.split('?', 1)[0] ?? ''),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        userId: request.actor?.id,
      },
      'request',
    );
    done();
  });
}
