import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, Deps } from '../app-types.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { AppError } from '../errors.ts';
import { backupMetrics } from './backup-metrics.ts';
import { databaseMetrics } from './database-metrics.ts';
import { CONTENT_TYPE, exposition, type Metric } from './exposition.ts';
import { eventLoopMetrics, LOOP_RESOLUTION, processMetrics } from './process-metrics.ts';
import { RequestCounts } from './request-counts.ts';

const PATH = '/metrics';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Answers measurements of this process to whoever has the token. Without one nothing is measured, and there is nothing
 * at the address.
 */
export function metricsRoute(
  app: App,
  { db, metricsToken, backsUp }: Deps & { metricsToken?: string | undefined; backsUp?: boolean },
): void {
  // Said to be hidden: it is no call of the product, so it does not stand among them.
  const schema = { hide: true };
  if (metricsToken === undefined) {
    // A route all the same: at an address without one the browser application would show its page.
    app.all(PATH, { schema }, () => {
      throw new AppError('not-found', 'There is nothing at this address.');
    });
    return;
  }
  const requests = new RequestCounts();
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'other';
    requests.add(method, routeOf(request), reply.statusCode, reply.elapsedTime / 1e3);
    done();
  });
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION });
  delay.enable();
  app.addHook('onClose', async () => {
    delay.disable();
  });
  const isToken = tokenCheck(metricsToken);
  const build = buildMetric();

  app.get(PATH, { schema }, async (request, reply) => {
    if (!isToken(request.headers.authorization)) throw new AppError('session-over', 'Unauthenticated.');
    const state = await db.state();
    reply.header('content-type', CONTENT_TYPE).header('cache-control', 'no-store');
    return exposition([
      build(state.engine),
      ...processMetrics(),
      ...eventLoopMetrics(delay),
      ...databaseMetrics(state),
      ...(backsUp ? await backupMetrics(db.read) : []),
      ...requests.metrics(),
      signInFailures(requests),
    ]);
  });
}

/**
 * The pattern of a route, never the path, which would be a series for each record and tell who was looked at. Files and
 * pages of the browser application are one.
 */
function routeOf(request: FastifyRequest): string {
  const pattern = request.routeOptions.url;
  if (pattern !== undefined && (pattern.startsWith('/api') || pattern === PATH)) return pattern;
  return request.url.startsWith('/api') ? 'unknown' : 'web';
}

/** Compares digests: they are of one length, and how much of one agrees tells nothing of the token. */
function tokenCheck(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (authorization = '') =>
    timingSafeEqual(digest(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? ''), expected);
}

/** Which program runs: what differs among processes while a new version is rolled out. */
function buildMetric(): (engine: string) => Metric {
  const file = new URL('../../../package.json', import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')));
  const labels = { version, node: process.version, schema: String(MIGRATIONS.length) };
  return (engine) => ({
    name: 'sims_build_info',
    help: 'The running program; the value says nothing.',
    type: 'gauge',
    samples: [{ labels: { ...labels, engine }, value: 1 }],
  });
}

const signInFailures = (requests: RequestCounts): Metric => ({
  name: 'sims_sign_in_failures_total',
  help: 'Refused attempts to sign in.',
  type: 'counter',
  samples: [
    { labels: { reason: 'wrong_password' }, value: requests.of('POST', '/api/login', 401) },
    { labels: { reason: 'too_many_attempts' }, value: requests.of('POST', '/api/login', 429) },
  ],
});
