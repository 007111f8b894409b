import { setImmediate } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { type Connection, statementNames, WatchedClient } from './postgres-client.ts';

/** Milliseconds. A caller has an answer, if only that there is none, within five seconds of the server's last. */
const PATIENCE = {
  /** To get a connection, new or after others. */
  connection: 4_000,
  /** Between looks at what is waited for. */
  look: 400,
  /** For a statement before the server is asked whether it is still there. */
  quiet: 800,
  /** To say so: to let somebody in, and to answer. */
  letIn: 2_500,
  answer: 750,
  /** Beyond the time of a statement, for the server to end it. */
  ending: 2_000,
  /** For a transaction between two statements: a process that stands still must not hold up all others for long. */
  idle: 5_000,
} as const;

/** Answers, but does not say which it is. */
const SOME_SERVER = Symbol('some server');

/** Tells servers apart, and those that write from those that only follow one. */
const WHO = 'select pg_postmaster_start_time()::text as server, pg_is_in_recovery() as follows';

export interface PoolOptions {
  /** With the address. */
  config: pg.ClientConfig;
  /** Connections at most. */
  connections: number;
  /** Milliseconds that a statement may take; 0 for any. */
  statementTimeout: number;
  /** Whether a server will do that only follows another. */
  mayFollow: boolean;
}

/**
 * Connections to one server, watched: a statement that is not answered makes it ask, over a connection of its own,
 * whether the server is still there and still the same. If not, whatever waits for an answer is broken off, and what
 * comes next finds out for itself. So a long statement is left alone, and one that hangs is not waited for.
 */
export class WatchedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #options: PoolOptions;
  readonly #connections = new Map<pg.ClientBase, Connection>();
  readonly #nameOf = statementNames();
  readonly #watch: NodeJS.Timeout;
  #isAsking = false;
  /** Nothing may be read or written for now: somebody else replaces what the database holds. */
  isBarred = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      ...options.config,
      max: options.connections,
      connectionTimeoutMillis: PATIENCE.connection,
      statement_timeout: options.statementTimeout,
      idle_in_transaction_session_timeout: options.statementTimeout === 0 ? 0 : PATIENCE.idle,
      keepAlive: true,
      onConnect: (client) => this.#welcome(client),
    });
    // A connection that ends while nobody uses it is replaced at the next use, one that ends between two statements of
    // a transaction fails the next; without listeners either would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#pool.on('remove', (client) => this.#connections.delete(client));
    this.#watch = setInterval(() => void this.#look(), PATIENCE.look).unref();
  }

  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      if (this.isBarred) throw new BeingReplaced();
      const client = await this.#pool.connect();
      const connection = this.#connections.get(client);
      if (connection !== undefined && !connection.isOver) {
        return new WatchedClient(client, connection, this.#nameOf);
      }
      client.release(true);
    }
  }

  end(): Promise<void> {
    clearInterval(this.#watch);
    return this.#pool.end();
  }

  /** How many connections there are, and how many callers without one. */
  get counts() {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      most: this.#options.connections,
    };
  }

  async #welcome(client: pg.ClientBase): Promise<void> {
    const connection: Connection = {
      client,
      server: undefined,
      askedAt: performance.now(),
      isUnhurried: false,
      isOver: false,
    };
    this.#connections.set(client, connection);
    try {
      const { server, follows } = await whoIs(client);
      if (follows && !this.#options.mayFollow) throw new FollowingServer();
      connection.server = server;
    } catch (error) {
      this.#connections.delete(client);
      throw error;
    } finally {
      connection.askedAt = undefined;
    }
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const waiting = [...this.#connections.values()].filter(
      ({ askedAt }) => askedAt !== undefined && now - askedAt > PATIENCE.quiet,
    );
    const { statementTimeout } = this.#options;
    for (const connection of waiting) {
      const limit =
        connection.isUnhurried || statementTimeout === 0 ? Number.POSITIVE_INFINITY : statementTimeout;
      // Neither answered nor ended: the server no longer knows of it.
      if (now - (connection.askedAt ?? now) > limit + PATIENCE.ending) breakOff(connection);
    }
    if (waiting.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    const server = await this.#ask();
    // What arrived while this process itself stood still is read first.
    await setImmediate();
    this.#isAsking = false;
    if (server === SOME_SERVER) return;
    for (const connection of this.#connections.values()) {
      const isUnanswered = connection.askedAt !== undefined && connection.askedAt < now;
      // With no server, those that nobody waits for may be found good again; those to another one never.
      if (
        server === undefined ? isUnanswered : connection.server !== undefined && connection.server !== server
      ) {
        breakOff(connection);
      }
    }
  }

  /** The server that answers now; undefined where none does in time. */
  async #ask(): Promise<string | typeof SOME_SERVER | undefined> {
    const client = new pg.Client({
      ...this.#options.config,
      connectionTimeoutMillis: PATIENCE.letIn,
      query_timeout: PATIENCE.answer,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await whoIs(client)).server;
    } catch (error) {
      // Out of connections, say.
      return error instanceof pg.DatabaseError ? SOME_SERVER : undefined;
    } finally {
      client.end().catch(() => {});
    }
  }
}

/** A server that can't be written to. The code is the server's own for a transaction that may only read. */
export class FollowingServer extends Error {
  readonly code = '25006';

  constructor() {
    super('the server is a replica, which can only be read');
  }
}

/** The code is the server's own while it lets nobody in for now. */
class BeingReplaced extends Error {
  readonly code = '57P03';

  constructor() {
    super('the records are being replaced by another SIMS process');
  }
}

async function whoIs(client: pg.ClientBase): Promise<{ server: string; follows: boolean }> {
  const { rows } = await client.query<{ server: string; follows: boolean }>(WHO);
  const [who] = rows;
  if (who === undefined) throw new Error('the server does not say which it is');
  return who;
}

/** Fails what is waited for; what nobody waits for is not used again. */
function breakOff(connection: Connection): void {
  connection.isOver = true;
  const { client, askedAt } = connection;
  if (askedAt !== undefined && client instanceof pg.Client) void client.end();
}
