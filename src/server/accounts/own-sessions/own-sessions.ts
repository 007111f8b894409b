import { createHash } from 'node:crypto';
import type { Session } from '../../../contract/accounts/sessions.ts';
import { lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { Actor } from '../../http/actor.ts';
import type { VerifiedActor } from '../../http/transact-as.ts';
import { endOtherSessions, endSession, type SessionLimits } from '../sessions/sessions.ts';
import { describeUserAgent } from './user-agent.ts';

/** A program that signs in for every call may have any number of sessions. */
const MAX_LISTED = 100;

/** The id of a session on the wire: its token can't be found from it. */
const publicId = (tokenHash: string) =>
  createHash('sha256').update(`session ${tokenHash}`).digest('base64url').slice(0, 22);

/** The actor's active sessions: the current one first, then the most recently used. */
export async function listSessions(db: Db, actor: Actor, limits: SessionLimits): Promise<Session[]> {
  const rows = await activeSessions(db, actor, limits)
    .orderBy('last_used_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
  const sessions = rows.map(({ token_hash, user_agent, ...times }) => ({
    ...times,
    id: publicId(token_hash),
    current: token_hash === actor.tokenHash,
    // This very use may not be stored yet.
    ...(token_hash === actor.tokenHash && { last_used_at: new Date().toISOString() }),
    device: describeUserAgent(user_agent),
  }));
  return sessions.sort((a, b) => Number(b.current) - Number(a.current));
}

function activeSessions(db: Db, { id, tokenHash }: Actor, { idle }: SessionLimits) {
  const now = Date.now();
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent'])
    .where('user_id', '=', id)
    .where('expires_at', '>', new Date(now).toISOString())
    .where(({ eb, or }) =>
      or([eb('last_used_at', '>', new Date(now - idle).toISOString()), eb('token_hash', '=', tokenHash)]),
    );
}

/** @throws AppError not-found for a session that is not the actor's or has ended */
export async function endOwnSession(
  tx: Tx,
  author: VerifiedActor,
  actor: Actor,
  id: string,
  limits: SessionLimits,
): Promise<void> {
  const rows = await activeSessions(tx, actor, limits).execute();
  const session = rows.find(({ token_hash }) => publicId(token_hash) === id);
  if (session === undefined) throw new AppError('not-found', 'There is no such session.');
  await endSession(tx, session.token_hash);
  await recordEnd(tx, author, describeUserAgent(session.user_agent) ?? 'one');
}

/** Ends the current session. */
export async function signOut(tx: Tx, actor: Actor): Promise<void> {
  await lockTable(tx, 'users');
  await endSession(tx, actor.tokenHash);
}

/** Ends all of the actor's sessions but the current one. */
export async function signOutElsewhere(tx: Tx, author: VerifiedActor, actor: Actor): Promise<void> {
  const ended = await endOtherSessions(tx, actor);
  if (ended > 0) await recordEnd(tx, author, 'all others');
}

const recordEnd = (tx: Tx, author: VerifiedActor, which: string) =>
  recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: author.id,
    before: {},
    after: { sessions_ended: which },
  });
