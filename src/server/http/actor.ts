import type { FastifyRequest } from 'fastify';
import type { Role } from '../../contract/accounts/accounts.ts';
import type { Right } from '../../contract/calls.ts';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that need no sign-in. */
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** Rights of which each admits to the call; `everybody` needs no sign-in. */
    rights?: readonly Right[] | 'everybody';
    /** May be called by people who have to set up two-factor authentication before anything else. */
    beforeSecondFactor?: true;
    /** The call only reads, although its input comes in the body of a POST. */
    onlyReads?: true;
  }
}

/** The signed-in person who makes a call. */
export interface Actor {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** The hash of the token of the session that the call was made with. */
  tokenHash: string;
  /** The mark sheet whose list of teachers admits to the call; null where a right on all records does. */
  taughtSheet: number | null;
  /** Position in the primary's log that a replica must have reached before this session may read from it. */
  writtenUpTo: string | null;
}

/** HTTP methods that change nothing (RFC 9110, 9.2.1), as far as they are used here. */
export const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** @throws AppError session-over on a route outside of the scope that requires a sign-in */
export function requireActor(request: FastifyRequest): Actor {
  if (!request.actor) throw new AppError('session-over', 'Unauthenticated.');
  return request.actor;
}
