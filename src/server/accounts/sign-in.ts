import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { lockUser } from './queries.ts';
import { hasSecondFactor } from './second-factor.ts';
import { type Origin, type SessionLimits, startSession } from './sessions.ts';

/** What somebody has proved who they are with. */
export interface Proof {
  id: number;
  password_hash: string;
  /** Whether a code was asked for beside the password. */
  withCode: boolean;
}

/**
 * Starts a session and answers its token. Checking a password takes a while: undefined when it was changed meanwhile, a
 * second factor set up or the account locked, since what ended all sessions would have missed this one.
 */
export function signIn(
  db: Db,
  { id, password_hash, withCode }: Proof,
  limits: SessionLimits,
  origin: Origin,
): Promise<string | undefined> {
  return transact(db, async (tx) => {
    const user = await lockUser(tx, id);
    if (user === undefined || user.locked_at !== null || user.password_hash !== password_hash)
      return undefined;
    if ((await hasSecondFactor(tx, id)) && !withCode) return undefined;
    return startSession(tx, id, limits, origin);
  });
}
