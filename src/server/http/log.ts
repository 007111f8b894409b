import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { LogLevel } from '../settings.ts';

/**
 * One JSON line each. What PostgreSQL says in detail of a refused row is the row itself, a password's hash with it, so
 * that is left out.
 */
export const createLogger = (level: LogLevel, to?: pino.DestinationStream) =>
  pino(
    { level, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: ['err.detail'], remove: true } },
    to,
  );

/** One line a request, without its query (which may hold a token), headers or body. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
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
