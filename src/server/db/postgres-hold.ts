import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { FollowingServer } from './postgres-pool.ts';

/** Milliseconds. */
const PATIENCE = {
  /** For the server to answer. */
  answer: 4_000,
  /** Between looks at whether it still knows of the hold. */
  look: 1_000,
  /** Between tries to have it alone: one that has just ended may be about to leave. */
  leave: 200,
} as const;
const TRIES = 10;

/** So that the server drops the hold of a machine that is gone in 20 seconds, not in hours, and no hold for being idle. */
const SESSION =
  '-c idle_session_timeout=0 -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

const LOCKS = { shared: 'pg_try_advisory_lock_shared', alone: 'pg_try_advisory_lock' } as const;

/** A database on a server, held by a connection of its own; the server drops it with that, however the process ends. */
export interface ServerHold {
  /** @throws when it has been lost */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Holds it together with others, for as long as this process uses it. A hold that is lost with its connection is taken again as soon
 * as the server is there; `bar` is told whether somebody else has it alone by then, who is replacing what it holds.
 *
 * @throws StartError where somebody has it alone
 */
export async function shareServer(
  config: pg.ClientConfig,
  bar: (isBarred: boolean) => void,
): Promise<ServerHold> {
  let client = await take(config, 'shared');
  if (client === undefined) {
    throw new StartError(
      'The database is held by another SIMS process that restores it, copies to it or works out its list anew. Wait until that has ended.',
    );
  }
  let isOver = false;
  let isLooking = false;
  const lookAt = async () => {
    if (client !== undefined && (await isThere(client))) return;
    const lost = client;
    client = undefined;
    if (lost !== undefined) await leave(lost);
    try {
      client = await take(config, 'shared');
      if (isOver && client !== undefined) await leave(client);
      client?.once('end', look);
      bar(client === undefined);
    } catch {
      // The server is away, which others tell of; the next look tries again.
    }
  };
  const look = () => {
    if (isOver || isLooking) return;
    isLooking = true;
    void lookAt().finally(() => {
      isLooking = false;
    });
  };
  client.once('end', look);
  const timer = setInterval(look, PATIENCE.look).unref();
  return {
    confirm: async () => {},
    release: async () => {
      isOver = true;
      clearInterval(timer);
      if (client !== undefined) await leave(client);
    },
  };
}

/**
 * Holds it alone, for who replaces what it holds.
 *
 * @throws StartError where any other process of the product uses it
 */
export async function holdServerAlone(config: pg.ClientConfig, label: string): Promise<ServerHold> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const client = await take(config, 'alone');
    if (client !== undefined) {
      return {
        confirm: async () => {
          if (await isThere(client)) return;
          throw new HoldLost(label);
        },
        release: () => leave(client),
      };
    }
    await setTimeout(PATIENCE.leave);
  }
  throw new StartError(
    `${label} is in use by another SIMS process. Stop every one first; nothing was changed.`,
  );
}

/** The code is the server's own for a connection that has failed. */
class HoldLost extends Error {
  readonly code = '08006';

  constructor(label: string) {
    super(`The connection that kept others out of ${label} was lost`);
  }
}

/** A connection that holds it; undefined where another's hold is in the way. */
async function take(config: pg.ClientConfig, how: keyof typeof LOCKS): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...config,
    options: `${config.options ?? ''} ${SESSION}`,
    application_name: 'sims hold',
    connectionTimeoutMillis: PATIENCE.answer,
    query_timeout: PATIENCE.answer,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ follows: boolean; held: boolean }>(
      `select pg_is_in_recovery() as follows, ${LOCKS[how]}(hashtextextended('sims hold', 0)) as held`,
    );
    if (rows[0]?.follows) throw new FollowingServer();
    if (rows[0]?.held) return client;
  } catch (error) {
    await leave(client);
    throw error;
  }
  await leave(client);
  return undefined;
}

/** Whether the server, one that may be written to, still knows of it. */
async function isThere(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows');
    return rows[0]?.follows === false;
  } catch {
    return false;
  }
}

/** A server that does not answer is not waited for. */
async function leave(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), setTimeout(PATIENCE.look, undefined, { ref: false })]);
}
