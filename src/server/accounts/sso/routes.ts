import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInCalls } from '../../../contract/accounts/sign-in.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError, invalidField } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { isWithinClientLimit } from '../credentials/login-throttle.ts';
import { startSession } from '../sessions/sessions.ts';
import { getOrigin } from '../sign-in/sign-in.ts';
import { accountPending } from '../users/approval.ts';
import { checkProviderSignIn, finishProviderSignIn } from './finish-sign-in.ts';
import { type Provider, UnverifiedEmailError } from './oidc-client.ts';
import { storePending, storeSignInRequest, takeSignInRequest } from './sso-state.ts';

/** Sign-ins that a client may begin in 15 minutes, as a multiple of its failed attempts with a password. */
const BEGIN_FACTOR = 10;

/** Why a sign-in failed, in the fragment of the address of the login page. */
type RefusalReason = 'expired' | 'denied' | 'unverified' | 'failed';

/**
 * Sign-in with an OpenID provider: the login page asks for the provider's address (`begin`), the provider sends the browser
 * back (`callback`), and the page exchanges the ticket of the callback for a token (`finish`). A cookie ties the three to
 * one browser, so that a link can't sign a user in to another person's account.
 *
 * @param https whether browsers use HTTPS, so that the cookie may be `Secure`
 */
export function providerRoutes(app: App, deps: Deps, provider: Provider, https: boolean): void {
  const { db, settings } = deps;
  // Browsers accept a cookie with this prefix from this host alone.
  const cookieName = https ? '__Host-sims-sign-in' : 'sims-sign-in';
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  const getBrowser = ({ headers }: FastifyRequest) =>
    new RegExp(`(?:^|; ?)${cookieName}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

  const handle = bindCalls(app, signInCalls);

  handle('POST /api/provider/begin', async ({ request, reply }) => {
    const limit = settings.loginLimit * BEGIN_FACTOR;
    if (!(await isWithinClientLimit(db.write, 'provider from', request.ip, limit))) {
      throw new AppError('too-many-attempts', 'Too many attempts. Try again later.', { retryAfter: 900 });
    }
    const { url, secrets } = await provider.begin();
    const browser = await transact(db.write, (tx) => storeSignInRequest(tx, secrets));
    reply.header('set-cookie', cookie(browser, 600));
    return { url };
  });

  handle('GET /api/provider/callback', async ({ request, reply }) => {
    const redirect = (hash: string) => reply.redirect(`/login#${hash}`, 303);
    const refuse = (why: RefusalReason, error?: unknown): FastifyReply => {
      const reason = error instanceof Error ? error.message : undefined;
      request.log.warn({ ip: request.ip, why, reason }, 'sign-in with the provider failed');
      return redirect(`sign-in-refused=${why}`);
    };
    const browser = getBrowser(request);
    const secrets = browser === undefined ? undefined : await takeSignInRequest(db.write, browser);
    if (browser === undefined || secrets === undefined) return refuse('expired');
    if (new URL(request.url, 'http://here').searchParams.get('error') === 'access_denied') {
      return refuse('denied');
    }
    try {
      const identity = await provider.finish(request.url, secrets);
      return redirect(`sign-in=${await storePending(db.write, browser, identity)}`);
    } catch (error) {
      return refuse(error instanceof UnverifiedEmailError ? 'unverified' : 'failed', error);
    }
  });

  handle('POST /api/provider/finish', async ({ body, request, reply }) => {
    const browser = getBrowser(request);
    if (browser === undefined)
      throw invalidField('ticket', 'This sign-in is no longer valid. Start it again.');
    const { ticket, password = null, code } = body;
    const checked = await checkProviderSignIn(deps, {
      browser,
      ticket,
      password,
      code,
      address: request.ip,
      log: request.log,
    });
    const user = await transact(db.write, (tx) =>
      finishProviderSignIn(tx, settings.registration, browser, checked),
    );
    if (user.waiting_for !== null) throw accountPending(user.waiting_for);
    const token = await startSession(db.write, user.id, settings.session, getOrigin(request));
    request.log.info({ userId: user.id, ip: request.ip }, 'signed in with the provider');
    reply.header('set-cookie', cookie('', 0));
    return { token, user, message: 'Signed in.' };
  });
}
