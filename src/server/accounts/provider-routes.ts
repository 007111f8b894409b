import type { FastifyReply, FastifyRequest } from 'fastify';
import { signedInReply } from '../../contract/accounts.ts';
import { errorReply, invalidReply } from '../../contract/errors.ts';
import { providerBegunReply, providerFinish } from '../../contract/sign-in-provider.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError, invalid } from '../errors.ts';
import { allowed } from './attempts.ts';
import { finishProviderSignIn } from './finish-provider-sign-in.ts';
import { originOf } from './origin.ts';
import { type Provider, Unverified } from './provider.ts';
import { rememberBack, rememberBegun, takeBegun } from './provider-sign-ins.ts';
import { startSession } from './sessions.ts';

const tags = ['Accounts'];

/** Sign-ins that one address may begin in 15 minutes, for each failed one that it may have with a password. */
const BEGINS_FACTOR = 10;

/** Why nobody was signed in, as the address of the login page says it. */
type Refused = 'expired' | 'denied' | 'unverified' | 'failed';

/**
 * Signing in with a provider: the page asks for its address (`begin`), the browser goes there and comes back (`callback`),
 * and the page changes what came back for a token (`finish`). A cookie ties the three to one browser, so that nobody can be
 * signed in to the account of another by following a link. `https`: browsers reach the product by it.
 */
export function providerRoutes(app: App, deps: Deps, provider: Provider, https: boolean): void {
  const { db, settings } = deps;
  // The prefix keeps other hosts of the same domain from setting it.
  const cookieName = https ? '__Host-sims-sign-in' : 'sims-sign-in';
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  const browserOf = ({ headers }: FastifyRequest) =>
    new RegExp(`(?:^|; ?)${cookieName}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

  app.post(
    '/api/provider/begin',
    {
      schema: {
        tags,
        summary: 'Begin to sign in with the provider',
        response: { 200: providerBegunReply, 429: errorReply, 503: errorReply },
      },
    },
    async (request, reply) => {
      const limit = settings.loginLimit * BEGINS_FACTOR;
      if (!(await allowed(db.write, `provider from ${request.ip}`, limit))) {
        throw new AppError('too-many-attempts', 'Too many attempts. Try again later.', { retryAfter: 900 });
      }
      const { url, secrets } = await provider.begin();
      const browser = await rememberBegun(db.write, secrets);
      reply.header('set-cookie', cookie(browser, 600));
      return { url };
    },
  );

  app.get(
    provider.callbackPath,
    { schema: { tags, summary: 'Where the provider sends the browser back to' } },
    async (request, reply) => {
      const back = (hash: string) => reply.redirect(`/login#${hash}`, 303);
      const refuse = (why: Refused, error?: unknown): FastifyReply => {
        const reason = error instanceof Error ? error.message : undefined;
        request.log.warn({ ip: request.ip, why, reason }, 'sign-in with the provider failed');
        return back(`sign-in-refused=${why}`);
      };
      const browser = browserOf(request);
      const secrets = browser === undefined ? undefined : await takeBegun(db.write, browser);
      if (browser === undefined || secrets === undefined) return refuse('expired');
      if (new URL(request.url, 'http://here').searchParams.get('error') === 'access_denied') {
        return refuse('denied');
      }
      try {
        const identity = await provider.finish(request.url, secrets);
        return back(`sign-in=${await rememberBack(db.write, browser, identity)}`);
      } catch (error) {
        return refuse(error instanceof Unverified ? 'unverified' : 'failed', error);
      }
    },
  );

  app.post(
    '/api/provider/finish',
    {
      schema: {
        tags,
        summary: 'Finish signing in with the provider',
        description:
          'Refused with 422 on `password` where an account with the address is to be linked, and on `code` where a second factor is set up.',
        body: providerFinish,
        response: {
          200: signedInReply,
          401: errorReply,
          403: errorReply,
          422: invalidReply,
          429: errorReply,
        },
      },
    },
    async (request, reply) => {
      const browser = browserOf(request);
      if (browser === undefined) throw invalid('ticket', 'This sign-in is no longer valid. Start it again.');
      const { ticket, password = null, code } = request.body;
      const user = await finishProviderSignIn(deps, {
        browser,
        ticket,
        password,
        code,
        address: request.ip,
        log: request.log,
      });
      const token = await startSession(db.write, user.id, settings.session, originOf(request));
      request.log.info({ userId: user.id, ip: request.ip }, 'signed in with the provider');
      reply.header('set-cookie', cookie('', 0));
      return { token, user, message: 'Signed in.' };
    },
  );
}
