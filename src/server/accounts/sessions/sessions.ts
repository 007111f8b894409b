import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../http/actor.ts';
import type { RunInBackground } from '../../http/background-tasks.ts';
import { rememberNetwork } from './known-networks.ts';

/** Limits of a session in milliseconds. */
export interface SessionLimits {
  /** Since the last call. */
  idle: number;
  /** Since sign-in. */
  lifetime: number;
}

/** The form in which a token is stored. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');
/** 256 random bits as 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');
const iso = (ms: number) => new Date(ms).toISOString();

/** The client of a call. */
export interface Origin {
  address: string;
  userAgent: string | undefined;
}

/** The rest is cut off. */
const MAX_USER_AGENT_LENGTH = 512;

/** @returns the token, of which only the hash is stored */
export async function startSession(
  db: Db,
  userId: number,
  limits: SessionLimits,
  { address, userAgent }: Origin,
): Promise<string> {
  const token = newToken();
  const now = Date.now();
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: iso(now),
      last_used_at: iso(now),
      expires_at: iso(now + limits.lifetime),
      address,
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      written_up_to: null,
    })
    .execute();
  await rememberNetwork(db, userId, address);
  return token;
}

/** A session and its user, as they are stored. */
type StoredSession = Omit<Actor, 'tokenHash' | 'writtenUpTo' | 'taughtSheet'> & {
  last_used_at: string;
  expires_at: string;
  locked_at: string | null;
  waiting_for: string | null;
  written_up_to: string | null;
};

/** Runs for every request. */
export const sessionQuery = () => sql<StoredSession>`
  select users.id, users.name, users.email, users.role, users.locked_at, users.waiting_for,
    last_used_at, expires_at, written_up_to
  from sessions inner join users on users.id = sessions.user_id
  where token_hash = ${''}`;

const findSession = preparedQuery<StoredSession, [string]>(sessionQuery);

/** Part of the idle time after which the last use is stored again, so that not every call writes. */
const STORE_USE_AFTER = 1 / 30;

/**
 * The person with this session, with their current rights; undefined without an active session. Deletes a session that
 * has ended, so that no later change of the clock revives it.
 */
export async function findActor(
  { read, write }: { read: Db; write: Db },
  token: string,
  limits: SessionLimits,
  activity: SessionActivity,
): Promise<Actor | undefined> {
  const tokenHash = hashToken(token);
  // Read before the row: afterwards it may be stored and removed here, while the row read is still the old one.
  const lastUse = activity.findPending(tokenHash);
  const session = await findSession(read, tokenHash);
  if (session === undefined) return undefined;

  const now = Date.now();
  const idleFor = now - (lastUse ?? Date.parse(session.last_used_at));
  // A last use in the future comes from a wrong clock, so the session counts as idle then too.
  const isIdle = Math.abs(idleFor) >= limits.idle;
  // A sign-in that ran while the account was locked may have started one, and so may a process of an older version.
  const isBlocked = session.locked_at !== null || session.waiting_for !== null;
  if (isBlocked || iso(now) >= session.expires_at || isIdle) {
    await endSession(write, tokenHash);
    return undefined;
  }
  if (idleFor >= limits.idle * STORE_USE_AFTER) activity.record(tokenHash, now);
  const { id, name, email, role } = session;
  return { id, name, email, role, tokenHash, taughtSheet: null, writtenUpTo: session.written_up_to };
}

export async function endSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of an account. */
export async function endUserSessions(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Ends every session of the actor but the current one. @returns how many */
export async function endOtherSessions(db: Db, actor: Actor): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', actor.id)
    .where('token_hash', '!=', actor.tokenHash)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Stores when sessions were last used, in the background: on the embedded engine it waits for the write in progress, and no
 * call should wait for that. Until it is stored, the use is known here.
 */
export class SessionActivity {
  readonly #write: Db;
  readonly #runInBackground: RunInBackground;
  readonly #pending = new Map<string, number>();

  constructor(write: Db, runInBackground: RunInBackground) {
    this.#write = write;
    this.#runInBackground = runInBackground;
  }

  /** A use that may not be stored yet, in milliseconds since 1970. */
  findPending(tokenHash: string): number | undefined {
    return this.#pending.get(tokenHash);
  }

  record(tokenHash: string, usedAt: number): void {
    this.#pending.set(tokenHash, usedAt);
    const last_used_at = new Date(usedAt).toISOString();
    const stored = this.#write
      .updateTable('sessions')
      .set({ last_used_at })
      .where('token_hash', '=', tokenHash)
      // Two concurrent writes may arrive in either order.
      .where('last_used_at', '<', last_used_at)
      .execute()
      .finally(() => {
        if (this.#pending.get(tokenHash) === usedAt) this.#pending.delete(tokenHash);
      });
    this.#runInBackground(stored, 'last use of a session not stored');
  }
}

/** Sessions whose token is sent again are deleted then; this deletes the others. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', new Date().toISOString()).execute();
}
