import type { FastifyInstance } from 'fastify';

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
