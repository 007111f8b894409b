import type { FastifyInstance, HTTPMethods } from 'fastify';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405 with `Allow` where a path is known but not by this method, which the router would call "not found".
 * Called before the routes are added; the returned function after.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api')) return;
    const methods = known.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    known.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...known]) {
      const allowed = [...methods].join(', ');
      app.route({
        url,
        method: METHODS.filter((method) => !methods.has(method)),
        schema: { hide: true },
        handler: (_request, reply) =>
          reply
            .code(405)
            .header('allow', allowed)
            .send({ message: `This address takes ${allowed} only.` }),
      });
    }
  };
}
