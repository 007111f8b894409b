import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { compileOnce } from '../db/compile-once.ts';
import type { Db } from '../db/schema.ts';
import type { Actor } from './actor.ts';
import type { LastUses } from './last-uses.ts';

export interface SessionLimits {
  /** Milliseconds without a call. */
  idle: number;
  /** Milliseconds since sign-in. */
  lifetime: number;
}

/** What is kept of a token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
/** 256 random bits as 43 characters. */
export const newToken = () => randomBytes(32).toString('base64url');
const iso = (ms: number) => new Date(ms).toISOString();

/** Where a call comes from. */
export interface Origin {
  address: string;
  userAgent: string | undefined;
}

/** More of what a browser says of itself is not kept. */
const USER_AGENT_LENGTH = 512;

/** Starts a session and answers its token, which is kept nowhere. */
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
      token_hash: hashOf(token),
      user_id: userId,
      created_at: iso(now),
      last_used_at: iso(now),
      expires_at: iso(now + limits.lifetime),
      address,
      user_agent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      written_up_to: null,
    })
    .execute();
  return token;
}

/** Asked by every call. */
const findSession = compileOnce<
  Omit<Actor, 'tokenHash' | 'writtenUpTo'> & {
    last_used_at: string;
    expires_at: string;
    locked_at: string | null;
    written_up_to: string | null;
  },
  [string]
>(
  () => sql`
    select users.id, users.name, users.email, users.role, users.locked_at, last_used_at, expires_at, written_up_to
    from sessions inner join users on users.id = sessions.user_id
    where token_hash = ${''}`,
);

/** How much of the idle time may pass before the last use is written down again: a write now and then, not each call. */
const USE_NOTED_AFTER = 1 / 30;

/**
 * The person whose session this token is of, with their rights as they are now, or undefined. A session that has
 * ended is removed at once, so that no later change of the clock revives it.
 */
export async function findActor(
  { read, write }: { read: Db; write: Db },
  token: string,
  limits: SessionLimits,
  lastUses: LastUses,
): Promise<Actor | undefined> {
  const tokenHash = hashOf(token);
  // Looked at first: it may be written down, and forgotten there, while the row as it was before is on its way here.
  const lastUse = lastUses.of(tokenHash);
  const session = await findSession(read, tokenHash);
  if (session === undefined) return undefined;

  const now = Date.now();
  const unused = now - (lastUse ?? Date.parse(session.last_used_at));
  // Used as far in the future: by a clock that was wrong, and would be right only when that time has come.
  const isUnused = Math.abs(unused) >= limits.idle;
  // A sign-in that was under way while the account was locked may have started one.
  if (session.locked_at !== null || iso(now) >= session.expires_at || isUnused) {
    await endSession(write, tokenHash);
    return undefined;
  }
  if (unused >= limits.idle * USE_NOTED_AFTER) lastUses.note(tokenHash, now);
  const { id, name, email, role } = session;
  return { id, name, email, role, tokenHash, writtenUpTo: session.written_up_to };
}

export async function endSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of an account. */
export async function endSessionsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Ends every session of the person but the one they are using, and answers how many. */
export async function endOtherSessions(db: Db, actor: Actor): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', actor.id)
    .where('token_hash', '!=', actor.tokenHash)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
