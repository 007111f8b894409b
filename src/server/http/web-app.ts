import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the built browser application: its files, and its page for every path that is a screen's. A path with an
 * extension that is no file, and any other under /api, is not found, unless another method would have found it.
 */
export async function serveWebApp(
  app: FastifyInstance,
  webDir: string,
  methodsOf: (path: string) => string[],
  features: Features,
): Promise<void> {
  const page = await readPage(join(webDir, 'index.html'), features);
  if (page !== undefined) {
    await app.register(fastifyStatic, {
      root: webDir,
      index: false,
      // A route for each file that is there, so that all other paths, `/` and folders too, are decided below.
      wildcard: false,
      preCompressed: true,
      // Hashed names below assets/ never change what they hold.
      setHeaders: (reply, path) => {
        const forever = path.startsWith(join(webDir, 'assets'));
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isScreen =
      page !== undefined && path.startsWith('/') && (!NO_SCREEN.test(path) || RECORD_SCREEN.test(path));
    if (isScreen && READS.includes(request.method)) {
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
    }
    const methods = isScreen ? READS : methodsOf(path);
    if (methods.length > 0) {
      const allowed = methods.join(', ');
      return reply
        .code(405)
        .header('allow', allowed)
        .send({ message: `This address takes ${allowed} only.`, requestId: request.id });
    }
    return reply.code(404).send({ message: 'There is nothing at this address.', requestId: request.id });
  });
}

interface Features {
  /** Links for a new password can be mailed. */
  recovery: boolean;
  /** What the provider is called that people can sign in with. */
  provider: string | undefined;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The page, told what only the server knows before anybody is signed in. */
async function readPage(file: string, { recovery, provider }: Features): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const html = await readFile(file, 'utf8');
  const told = [
    recovery ? '<meta name="sims-recovery" content="mail">' : '',
    provider === undefined ? '' : `<meta name="sims-provider" content="${escapeAttribute(provider)}">`,
  ];
  return html.replace('</head>', () => `${told.join('')}</head>`);
}

const READS = ['GET', 'HEAD'];
/** Calls, hidden files, and whatever has an extension. */
const NO_SCREEN = /^\/api(\/|$)|\/\.|\.[^/]*$/;
/** A registration number may hold a dot, so a student's screens are not mistaken for files. */
const RECORD_SCREEN = /^\/students\/(?!\.{1,2}(\/|$))[^/]+(\/[a-z/]+)?$/;
