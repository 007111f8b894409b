import type { FastifyRequest } from 'fastify';
import type { Actor } from '../accounts/actor.ts';
import { LastUses } from '../accounts/last-uses.ts';
import { findActor } from '../accounts/sessions.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError } from '../errors.ts';
import { besideAnswers } from './beside-answers.ts';
import type { RequestLimit } from './request-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** A write that a viewer may make too: it touches nothing but their own account. */
    ownAccount?: true;
    /** It only reads, though what is asked for comes in a body. */
    onlyReads?: true;
  }
}

export const READS = new Set(['GET', 'HEAD']);

/**
 * Lets only signed-in people call the routes added to this scope, before a byte of the body is read, and only those
 * who may write call the ones that write. A body may take its time: who has been locked out or has lost a role
 * meanwhile must not have a change made that was only begun before.
 */
export function requireSignIn(scope: App, { db, settings }: Deps, limit: RequestLimit): void {
  const lastUses = new LastUses(db.write, besideAnswers(scope));
  scope.decorateRequest('actor', null);
  const findCaller = async ({ headers }: FastifyRequest): Promise<Actor | undefined> => {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : await findActor(db, token, settings.session, lastUses);
  };
  scope.addHook('onRequest', async (request) => {
    const actor = await findCaller(request);
    limit.count(actor?.tokenHash ?? request.ip);
    admit(request, actor);
  });
  scope.addHook('preHandler', async (request) => {
    if (!READS.has(request.method)) admit(request, await findCaller(request));
  });
}

/** @throws AppError session-over or forbidden, where this person may not make this call */
function admit(request: FastifyRequest, actor: Actor | undefined): void {
  if (actor === undefined) throw new AppError('session-over', 'Unauthenticated.');
  request.actor = actor;
  const { ownAccount, onlyReads } = request.routeOptions.config;
  if (actor.role === 'viewer' && !READS.has(request.method) && !ownAccount && !onlyReads) {
    throw new AppError('forbidden', 'Your role lets you read records, not change them.');
  }
}

/** The person who makes this call. Only for routes in the scope of {@link requireSignIn}. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === null) throw new AppError('session-over', 'Unauthenticated.');
  return request.actor;
}

/** The same, for what only an administrator may do. */
export function requireAdmin(request: FastifyRequest): Actor {
  const actor = actorOf(request);
  if (actor.role !== 'admin') throw new AppError('forbidden', 'Only an administrator can do this.');
  return actor;
}
