import type { FastifyInstance } from 'fastify';

/**
 * Tells the methods by which a path is known, for the 405 with `Allow` that the router would call "not
 * found". Called before the routes are added. Looked at only when no route has taken a call, so that a record whose
 * id is also a word of a path (`family`) stays within reach.
 */
export function watchMethods(app: FastifyInstance): (path: string) => string[] {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    known.set(url, route);
  });
  return (path) => {
    const matching = [...known.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))];
  };
}

/** What a parameter may be stands behind it, as `(^\d+$)`. */
const patternOf = (url: string) =>
  new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*')
      .replaceAll(/:\w+(?:\(\^([^)]*)\$\))?/g, (_, allowed?: string) => allowed ?? '[^/]+')}$`,
  );
