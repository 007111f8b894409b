import type { FastifyInstance } from 'fastify';
import { RefusedBody } from './refused-body.ts';

/**
 * Reads JSON bodies. None at all is no fault by itself: some clients name the type on calls that have nothing to
 * send, such as a sign-out or a delete.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body, done);
  });
  // Nothing here unpacks bodies: a small one can hold a vast one.
  app.addHook('onRequest', async ({ headers }) => {
    if (!['identity', undefined].includes(headers['content-encoding'])) throw new RefusedBody(415);
  });
}
