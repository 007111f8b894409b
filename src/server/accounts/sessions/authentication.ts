import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RIGHTS, type Right } from '../../../contract/calls.ts';
import { numberedPath } from '../../../contract/fields.ts';
import type { App, Deps } from '../../app-types.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Actor, SAFE_METHODS } from '../../http/actor.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import type { RequestLimit } from '../../http/hooks/load-limits.ts';
import { isTeacherOf, noSuchSheet } from '../../http/sheet-teachers.ts';
import { hasSecondFactor } from '../queries.ts';
import { findActor, SessionActivity } from './sessions.ts';

/**
 * Requires a sign-in for the routes added to this scope, before the body is read, and one of the rights that they name. Writes
 * whose body arrives later are checked again then: the account may be locked by now, or its rights others.
 */
export function requireSignIn(scope: App, { db, settings }: Deps, limit: RequestLimit): void {
  const activity = new SessionActivity(db.write, backgroundTasks(scope));
  scope.decorateRequest('actor', null);
  requireRights(scope);
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
    request.actor = await authorize(db.read, request, actor);
    await requireSecondFactor(request, actor);
  });
  const authorizeAgain = async (request: FastifyRequest) => {
    const actor = await authenticate(request);
    request.actor = await authorize(db.read, request, actor);
    await requireSecondFactor(request, actor);
  };
  scope.addHook('preHandler', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || arrived.has(request)) done();
    else authorizeAgain(request).then(() => done(), done);
  });
}

/** A route that is added to the scope and names no rights stops the start. */
export function requireRights(scope: App): void {
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.rights === undefined) throw new Error(`${method} ${url} names no rights.`);
  });
}

/**
 * The actor, with the sheet whose list of teachers admits them if that is what does.
 *
 * @throws AppError session-over, forbidden or not-found
 */
async function authorize(db: Db, request: FastifyRequest, actor: Actor | undefined): Promise<Actor> {
  // Also for a call that is refused: the log names who made it.
  request.actor = actor ?? null;
  if (actor === undefined) throw new AppError('session-over', 'Unauthenticated.');
  const { rights = [] } = request.routeOptions.config;
  if (rights === 'everybody') return actor;
  const admitting = RIGHTS[actor.role].filter((right) => rights.includes(right));
  if (admitting.length === 0) throw refusal(request, actor, rights);
  return admitting.every((right) => right === 'sheets') ? requireOwnSheet(db, request, actor) : actor;
}

/** A text before the parameters are parsed, a number afterwards. */
const sheetParams = z.object({ sheet_id: z.union([z.string(), z.number()]).optional() });

/** The other calls of sheets answer those of the teacher only. */
async function requireOwnSheet(db: Db, { params }: FastifyRequest, actor: Actor): Promise<Actor> {
  const { sheet_id } = sheetParams.parse(params);
  if (sheet_id === undefined) return actor;
  const taughtSheet = numberedPath.safeParse(String(sheet_id)).data;
  if (taughtSheet === undefined || !(await isTeacherOf(db, taughtSheet, actor.id))) throw noSuchSheet();
  return { ...actor, taughtSheet };
}

/** To teachers, calls that are not theirs do not exist. */
function refusal({ method }: FastifyRequest, { role }: Actor, rights: readonly Right[]): AppError {
  if (role === 'teacher') return new AppError('not-found', 'There is nothing at this address.');
  const isRead = SAFE_METHODS.has(method);
  if (role !== 'viewer' || (isRead && !rights.includes('write')))
    return new AppError('forbidden', 'Only an administrator can do this.');
  return new AppError(
    'forbidden',
    isRead ? 'Your role lets you read records only.' : 'Your role lets you read records, not change them.',
  );
}
