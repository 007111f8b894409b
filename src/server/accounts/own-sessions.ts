import { createHash } from 'node:crypto';
import type { Session } from '../../contract/sessions.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { Actor } from './actor.ts';
import { deviceWords } from './device-words.ts';
import { endOtherSessions, endSession, type SessionLimits } from './sessions.ts';

/** More are not told of: a program that signs in at every call may have any number. */
const MOST_TOLD = 100;

/** What a session is called on the wire: nothing that its token could be found by. */
const publicId = (tokenHash: string) =>
  createHash('sha256').update(`session ${tokenHash}`).digest('base64url').slice(0, 22);

/** The person's sessions that still last, the one that asks first, then those last used first. */
export async function listSessions(db: Db, actor: Actor, limits: SessionLimits): Promise<Session[]> {
  const rows = await lasting(db, actor, limits).orderBy('last_used_at', 'desc').limit(MOST_TOLD).execute();
  const sessions = rows.map(({ token_hash, user_agent, ...times }) => ({
    ...times,
    id: publicId(token_hash),
    current: token_hash === actor.tokenHash,
    // That it is being used may not be written down yet.
    ...(token_hash === actor.tokenHash && { last_used_at: new Date().toISOString() }),
    device: deviceWords(user_agent),
  }));
  return sessions.sort((a, b) => Number(b.current) - Number(a.current));
}

function lasting(db: Db, { id, tokenHash }: Actor, { idle }: SessionLimits) {
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

/** Ends one of the person's own sessions. */
export async function endOwnSession(db: Db, actor: Actor, id: string, limits: SessionLimits): Promise<void> {
  await transact(db, async (tx) => {
    const rows = await lasting(tx, actor, limits).execute();
    const session = rows.find(({ token_hash }) => publicId(token_hash) === id);
    if (session === undefined) throw new AppError('not-found', 'There is no such session.');
    await endSession(tx, session.token_hash);
    await recordEnd(tx, actor, deviceWords(session.user_agent) ?? 'one');
  });
}

/** Signs the person out everywhere but where they are. */
export async function endSessionsElsewhere(db: Db, actor: Actor): Promise<void> {
  await transact(db, async (tx) => {
    const ended = await endOtherSessions(tx, actor);
    if (ended > 0) await recordEnd(tx, actor, 'all others');
  });
}

const recordEnd = (tx: Tx, actor: Actor, which: string) =>
  recordChange(tx, actor, {
    action: 'update',
    entity: 'user',
    entityId: actor.id,
    before: {},
    after: { sessions_ended: which },
  });
