import type { FastifyRequest } from 'fastify';
import type { Role } from '../../../contract/accounts/accounts.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { type Actor, SAFE_METHODS } from '../../http/actor.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import type { RequestLimit } from '../../http/hooks/load-limits.ts';
import { hasSecondFactor } from '../queries.ts';
import { findActor, SessionActivity } from './sessions.ts';

/**
 * Requires a sign-in for the routes added to this scope, before the body is read, and one of the roles that they name. Writes
 * whose body arrives later are checked again then: the account may be locked by now, or its role another one.
 */
export function requireSignIn(scope: App, { db, settings }: Deps, limit: RequestLimit): void {
  const activity = new SessionActivity(db.write, backgroundTasks(scope));
  scope.decorateRequest('actor', null);
  requireRoles(scope);
  const authenticate = async ({ headers }: FastifyRequest): Promise<Actor | undefined> => {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : await findActor(db, token, settings.session, activity);
  };
  const requireSecondFactor = async ({ routeOptions }: FastifyRequest, actor: Actor | undefined) => {
    if (actor === undefined || !settings.twoFactorRoles.includes(actor.role)) return;
    if (routeOptions.config.beforeSecondFactor || (await hasSecondFactor(db.read, actor.id))) return;
    throw new AppError('forbidden', 'Set up two-factor authentication first: your role requires it.', {
      details: { second_factor: 'required' },
    });
  };
  /** Calls whose body had arrived when they were admitted. */
  const arrived = new WeakSet<FastifyRequest>();
  scope.addHook('onRequest', async (request) => {
    const actor = await authenticate(request);
    if (request.raw.complete) arrived.add(request);
    if (actor === undefined) limit.countAddress(request.ip);
    else limit.countSession(actor.tokenHash);
    authorize(request, actor);
    await requireSecondFactor(request, actor);
  });
  const authorizeAgain = async (request: FastifyRequest) => {
    const actor = await authenticate(request);
    authorize(request, actor);
    await requireSecondFactor(request, actor);
  };
  scope.addHook('preHandler', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || arrived.has(request)) done();
    else authorizeAgain(request).then(() => done(), done);
  });
}

/** A route that is added to the scope and names no roles stops the start. */
export function requireRoles(scope: App): void {
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.roles === undefined) throw new Error(`${method} ${url} names no roles.`);
  });
}

/** @throws AppError session-over or forbidden */
function authorize(request: FastifyRequest, actor: Actor | undefined): void {
  if (actor === undefined) throw new AppError('session-over', 'Unauthenticated.');
  request.actor = actor;
  const { roles = [] } = request.routeOptions.config;
  if (roles === 'everybody' || roles.includes(actor.role)) return;
  throw new AppError('forbidden', describeRefusal(request, actor, roles));
}

function describeRefusal({ method }: FastifyRequest, { role }: Actor, roles: readonly Role[]): string {
  const isRead = SAFE_METHODS.has(method);
  if (role !== 'viewer' || (isRead && !roles.includes('staff'))) return 'Only an administrator can do this.';
  return isRead
    ? 'Your role lets you read records only.'
    : 'Your role lets you read records, not change them.';
}
