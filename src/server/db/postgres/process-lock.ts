import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { ReadOnlyServerError } from './failover.ts';
import { configureSession, type SessionSettings } from './session.ts';

/** Milliseconds. */
const TIMEOUTS = {
  /** For an answer of the server. */
  answer: 4_000,
  /** For acquiring a lost lock again while somebody waits for it. */
  reacquired: 500,
  /** Between two checks that the lock is still held. */
  checkInterval: 1_000,
  /** Between attempts to acquire the exclusive lock: a process that is ending may be about to release its own. */
  retry: 200,
} as const;
const MAX_ATTEMPTS = 10;

/** The server releases the lock of a lost machine after 20 seconds, not hours, and never ends an idle connection. */
const SESSION: SessionSettings = {
  idle_session_timeout: '0',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

const LOCKS = { shared: 'pg_try_advisory_lock_shared', exclusive: 'pg_try_advisory_lock' } as const;

/** An advisory lock on a connection of its own; the server releases it with the connection, however the process ends. */
export interface ProcessLock {
  /** @throws when the lock has been lost */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Acquires the shared lock, for as long as this process uses the database. When its connection is lost, the lock is
 * acquired again as soon as the server answers.
 *
 * @param bar called after that: true when another process holds the exclusive lock by then, to replace the records
 * @throws StartError where another process holds the exclusive lock
 */
export async function acquireSharedLock(
  config: pg.ClientConfig,
  bar: (isBarred: boolean) => void,
): Promise<ProcessLock> {
  let client = await tryLock(config, 'shared');
  if (client === undefined) {
    throw new StartError(
      'The database is locked by another SIMS process that restores, copies or reindexes it. Wait until that has ended.',
    );
  }
  let isReleased = false;
  let checking: Promise<void> | undefined;
  const reacquire = async () => {
    if (client !== undefined && (await isAlive(client))) return;
    const lost = client;
    client = undefined;
    if (lost !== undefined) await disconnect(lost);
    try {
      client = await tryLock(config, 'shared');
      if (isReleased && client !== undefined) await disconnect(client);
      client?.once('end', check);
      bar(client === undefined);
    } catch {
      // The server is unreachable, which requests log; the next check tries again.
    }
  };
  const check = () => {
    if (isReleased) return;
    checking ??= reacquire().finally(() => {
      checking = undefined;
    });
  };
  client.once('end', check);
  const timer = setInterval(check, TIMEOUTS.checkInterval).unref();
  return {
    confirm: async () => {
      const lost = client;
      if (lost !== undefined && (await isAlive(lost))) return;
      // The server may have ended the connection alone, and answer at once.
      check();
      await Promise.race([checking, setTimeout(TIMEOUTS.reacquired, undefined, { ref: false })]);
      if (client === undefined || client === lost) throw new LockLostError('shared lock');
    },
    release: async () => {
      isReleased = true;
      clearInterval(timer);
      if (client !== undefined) await disconnect(client);
    },
  };
}

/**
 * Acquires the exclusive lock, to replace the records.
 *
 * @throws StartError where another SIMS process uses the database
 */
export async function acquireExclusiveLock(config: pg.ClientConfig, label: string): Promise<ProcessLock> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const client = await tryLock(config, 'exclusive');
    if (client !== undefined) {
      return {
        confirm: async () => {
          if (await isAlive(client)) return;
          throw new LockLostError(`exclusive lock on ${label}`);
        },
        release: () => disconnect(client),
      };
    }
    await setTimeout(TIMEOUTS.retry);
  }
  throw new StartError(
    `${label} is in use by another SIMS process. Stop every one first; nothing was changed.`,
  );
}

/** Has the SQLSTATE of a failed connection. */
class LockLostError extends Error {
  readonly code = '08006';

  constructor(lock: string) {
    super(`The connection with the ${lock} was lost`);
  }
}

/** A connection with the lock; undefined where another process holds a conflicting one. */
async function tryLock(config: pg.ClientConfig, how: keyof typeof LOCKS): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...config,
    application_name: 'sims hold',
    connectionTimeoutMillis: TIMEOUTS.answer,
    query_timeout: TIMEOUTS.answer,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await configureSession(client, SESSION, 'DATABASE_URL');
    const { rows } = await client.query<{ follows: boolean; held: boolean }>(
      `select pg_is_in_recovery() as follows, ${LOCKS[how]}(hashtextextended('sims hold', 0)) as held`,
    );
    if (rows[0]?.follows) throw new ReadOnlyServerError();
    if (rows[0]?.held) return client;
  } catch (error) {
    await disconnect(client);
    throw error;
  }
  await disconnect(client);
  return undefined;
}

/** Whether the connection works and the server is still the primary. */
async function isAlive(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows');
    return rows[0]?.follows === false;
  } catch {
    return false;
  }
}

/** Waits a limited time, since the server may not answer. */
async function disconnect(client: pg.Client): Promise<void> {
  await Promise.race([
    client.end().catch(() => {}),
    setTimeout(TIMEOUTS.checkInterval, undefined, { ref: false }),
  ]);
}
