import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readWebFiles } from './web-files.ts';

/**
 * Serves the built web application: its files, and its page for the path of every screen. Answers 404 for missing files and
 * for unknown paths under /api, or 405 where another method is allowed.
 */
export async function serveWebApp(
  app: FastifyInstance,
  webDir: string,
  getAllowedMethods: (path: string) => string[],
  features: Features,
): Promise<void> {
  const page = await readPage(join(webDir, 'index.html'), features);
  const files = page === undefined ? new Map<string, never>() : readWebFiles(webDir);
  const firstPage = page && addMetaTags(page, ['<meta name="sims-first-account" content="admin">']);
  let hasAccounts = false;
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isScreen =
      page !== undefined && path.startsWith('/') && (!NO_SCREEN.test(path) || RECORD_SCREEN.test(path));
    // As the router does: a path with an invalid escape does not get here.
    const sendFile = files.get(decodeURI(path));
    if (METHODS.includes(request.method)) {
      if (sendFile !== undefined) return sendFile(request, reply);
      if (isScreen) {
        // Asked until there is one: an account in use is never deleted.
        hasAccounts ||= await features.hasAccounts();
        const shown = hasAccounts ? page : firstPage;
        const letterhead = VERIFY_SCREEN.test(path) ? letterheadTags(await features.letterhead()) : [];
        return reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-cache')
          .send(letterhead.length === 0 || shown === undefined ? shown : addMetaTags(shown, letterhead));
      }
    }
    const methods = isScreen || sendFile !== undefined ? METHODS : getAllowedMethods(path);
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

/** The institution as it signs its documents, with the address of its logo. */
interface Letterhead {
  name: string | null;
  logo: string | null;
}

interface Features {
  /** Links to reset a password can be mailed. */
  recovery: boolean;
  /** Name of the OpenID provider. */
  provider: string | undefined;
  /** Without an account, the page says that the first one becomes the administrator. */
  hasAccounts: () => Promise<boolean>;
  /** Whose documents are checked here. */
  letterhead: () => Promise<Letterhead>;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The page, with what it must know before anybody is signed in. */
async function readPage(file: string, { recovery, provider }: Features): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const html = await readFile(file, 'utf8');
  const metaTags = [
    recovery ? '<meta name="sims-recovery" content="mail">' : '',
    provider === undefined ? '' : `<meta name="sims-provider" content="${escapeAttribute(provider)}">`,
  ];
  return addMetaTags(html, metaTags);
}

/** A person who checks a document has no account, and can ask the page alone. */
const letterheadTags = ({ name, logo }: Letterhead): string[] => [
  ...(name === null ? [] : [`<meta name="sims-institution" content="${escapeAttribute(name)}">`]),
  ...(logo === null ? [] : [`<meta name="sims-institution-logo" content="${escapeAttribute(logo)}">`]),
];

const addMetaTags = (html: string, metaTags: readonly string[]) =>
  html.replace('</head>', () => `${metaTags.join('')}</head>`);

const METHODS = ['GET', 'HEAD'];
const VERIFY_SCREEN = /^\/verify(\/|$)/;
/** Paths of the API, hidden files, and paths with an extension. */
const NO_SCREEN = /^\/api(\/|$)|\/\.|\.[^/]*$/;
/** A registration number or the code of a document may contain a dot, so these are not taken for files. */
const RECORD_SCREEN = /^\/(students\/(?!\.{1,2}(\/|$))[^/]+(\/[a-z/]+)?|verify\/[^/.]+\.[^/.]*)$/;
