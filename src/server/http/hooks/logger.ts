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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A streamed answer: it ends when the client leaves, so its duration says nothing about the server. */
    isStream?: true;
  }
}

/** Codes of documents are in paths. They are as secret as tokens: whoever has one reads the figures of a record. */
const CODE_IN_PATH = /^((?:\/+api)?\/+verify\/+)(?!(key|logo)$).+/i;
/** The same in any other path, for example a misspelt one: a signed code or a token, or a code by hand behind its serial. */
const SECRET_PART = /(?<=\/)(?!(?:[\da-f]{64})(?:\/|$))(?:[\w-]{40,}|\d{4}-\d{6}\.(?!pdf$)[^/]+)/gi;

/** The path of a request as the log may have it. */
function loggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  // Escaped letters lead to the same route.
  const plain = path.replaceAll(/%([2-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const known = plain.replace(CODE_IN_PATH, '$1:code').replaceAll(SECRET_PART, ':code');
  // Non-ASCII bytes arrive as they were sent, including control characters.
  return escapeUnsafeCharacters(known === plain ? path : known);
}

/** Logs one line per request, without its query (which may contain a token), headers and body. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ...(request.routeOptions.config.isStream ? { openMs: ms } : { ms }),
        ip: request.ip,
        userId: request.actor?.id,
      },
      'request',
    );
    done();
  });
}
