import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../db/schema.ts';
import { hasSecondFactor, lockUser } from '../queries.ts';
import { type Origin, type SessionLimits, startSession } from '../sessions/sessions.ts';

/** The credentials that were checked, as they were at that moment. */
interface SignInProof {
  id: number;
  password_hash: string;
  /** The code of two-factor authentication was checked too. */
  withCode: boolean;
}

/**
 * Starts a session. Checking a password takes a while, and a change of the account during that time ends all sessions
 * but can't end this one yet, so the account is compared again under a lock.
 *
 * @returns the token; undefined when the password, two-factor authentication or the state of the account has changed
 */
export async function signIn(
  tx: Tx,
  { id, password_hash, withCode }: SignInProof,
  limits: SessionLimits,
  origin: Origin,
): Promise<string | undefined> {
  const user = await lockUser(tx, id);
  if (user === undefined || user.password_hash !== password_hash) return undefined;
  if (user.locked_at !== null || user.waiting_for !== null) return undefined;
  if ((await hasSecondFactor(tx, id)) && !withCode) return undefined;
  return startSession(tx, id, limits, origin);
}

export const getOrigin = ({ ip, headers }: FastifyRequest): Origin => ({
  address: ip,
  userAgent: headers['user-agent'],
});
