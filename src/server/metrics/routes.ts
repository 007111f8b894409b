import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App, Deps } from '../app-types.ts';
import { AppError } from '../errors.ts';

const PATH = '/metrics';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Answers the metrics of this process to the holder of the token. Without a token nothing is measured, and the path is
 * answered 404.
 */
export async function metricsRoute(
  app: App,
  { db, metricsToken, settings }: Deps & { metricsToken?: string | undefined },
): Promise<void> {
  // Not part of the OpenAPI document.
  const schema = { hide: true };
  if (metricsToken === undefined) {
    // Without a route the web application would answer with its page.
    app.all(PATH, { schema }, () => {
      throw new AppError('not-found', 'There is nothing at this address.');
    });
    return;
  }
  // Loaded on demand: the library takes 12 MB of memory.
  const { Measurements } = await import('./metrics.ts');
  const measurements = new Measurements();
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'other';
    const isStream = request.routeOptions.config.isStream && reply.statusCode === 200;
    const seconds = isStream ? undefined : reply.elapsedTime / 1e3;
    measurements.requests.add(method, getRoute(request), reply.statusCode, seconds);
    done();
  });
  app.addHook('onClose', async () => measurements.close());
  const isToken = createTokenCheck(metricsToken);

  app.get(PATH, { schema }, async (request, reply) => {
    if (!isToken(request.headers.authorization)) throw new AppError('session-over', 'Unauthenticated.');
    reply.header('content-type', measurements.contentType).header('cache-control', 'no-store');
    return measurements.collect(db, { withBackups: settings.backup.every !== undefined });
  });
}

/**
 * The pattern of a route, never the path: that would create a series per record and reveal who was viewed. Files and pages of
 * the web application count as one route.
 */
function getRoute(request: FastifyRequest): string {
  const pattern = request.routeOptions.url;
  if (pattern !== undefined && (pattern.startsWith('/api') || pattern === PATH)) return pattern;
  return request.url.startsWith('/api') ? 'unknown' : 'web';
}

/** Compares digests, which have equal lengths, in constant time. */
function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (authorization = '') =>
    timingSafeEqual(digest(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? ''), expected);
}
