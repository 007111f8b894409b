import { setImmediate } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { type Connection, statementNames, WatchedClient } from './client.ts';
import {
  identifyServer,
  probeServer,
  ReadOnlyServerError,
  UNIDENTIFIED_SERVER,
  watchReplication,
} from './failover.ts';
import { configureSession, type SessionSettings } from './session.ts';

/** Milliseconds. Together with those of a probe they let a caller fail within 5 seconds of the server's last answer. */
const TIMEOUTS = {
  /** Time to check out a connection, waiting included. */
  connection: 4_000,
  /** Between two liveness checks. */
  checkInterval: 400,
  /** For a statement before the server is probed. */
  silence: 800,
  /** After the statement timeout, for the server to cancel the statement. */
  cancellation: 2_000,
  /** For a transaction between two statements: a stopped process must not block the others for long. */
  idleInTransaction: 5_000,
} as const;

export interface PoolOptions {
  /** Includes the connection string. */
  config: pg.ClientConfig;
  /** The settings of each connection, besides the limits of time. */
  session: SessionSettings;
  /** Most connections. */
  connections: number;
  /** Milliseconds per statement; 0 for no limit. */
  statementTimeout: number;
  /** Whether to accept a replica. */
  acceptReplica: boolean;
}

/**
 * A connection pool that detects a dead server. While a statement stays unanswered, the pool probes over a separate
 * connection whether the server is alive and still the same one; if not, the connections that wait for an answer are
 * terminated. Long statements on a healthy server are left alone.
 */
export class WatchedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #options: PoolOptions;
  readonly #connections = new Map<pg.ClientBase, Connection>();
  readonly #getName = statementNames();
  readonly #timer: NodeJS.Timeout;
  readonly #session: SessionSettings;
  #isProbing = false;
  /** Another process holds the exclusive lock, to replace the records: reject every query. */
  isBarred = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { statementTimeout } = options;
    this.#session = {
      ...options.session,
      statement_timeout: String(statementTimeout),
      idle_in_transaction_session_timeout: String(statementTimeout === 0 ? 0 : TIMEOUTS.idleInTransaction),
    };
    this.#pool = new pg.Pool({
      ...options.config,
      max: options.connections,
      connectionTimeoutMillis: TIMEOUTS.connection,
      keepAlive: true,
      pipeline: true,
      onConnect: (client) => this.#identify(client),
    });
    // A connection that ends while idle is replaced at the next checkout; one that ends within a transaction fails the
    // next statement. Without listeners either would crash the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#pool.on('remove', (client) => this.#connections.delete(client));
    this.#timer = setInterval(() => void this.#checkLiveness(), TIMEOUTS.checkInterval).unref();
  }

  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      if (this.isBarred) throw new BeingReplacedError();
      const client = await this.#pool.connect();
      const connection = this.#connections.get(client);
      if (connection !== undefined && !connection.isDead) {
        return new WatchedClient(client, connection, this.#getName);
      }
      client.release(true);
    }
  }

  end(): Promise<void> {
    clearInterval(this.#timer);
    return this.#pool.end();
  }

  /** Connections, and callers waiting for one. */
  get counts() {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      most: this.#options.connections,
    };
  }

  /** Whether a caller would get a connection without waiting for others. */
  get hasRoom(): boolean {
    const { inUse, waiting, most } = this.counts;
    return inUse < most && waiting === 0;
  }

  async #identify(client: pg.ClientBase): Promise<void> {
    const connection: Connection = {
      client,
      server: undefined,
      running: 0,
      sentAt: performance.now(),
      isNotReplicated: false,
      hasNoTimeout: false,
      isDead: false,
    };
    this.#connections.set(client, connection);
    watchReplication(connection);
    try {
      const [{ server, isReplica }] = await Promise.all([
        identifyServer(client),
        configureSession(
          client,
          this.#session,
          this.#options.acceptReplica ? 'DATABASE_READ_URL' : 'DATABASE_URL',
        ),
      ]);
      if (isReplica && !this.#options.acceptReplica) throw new ReadOnlyServerError();
      connection.server = server;
    } catch (error) {
      this.#connections.delete(client);
      throw error;
    } finally {
      connection.sentAt = undefined;
    }
  }

  async #checkLiveness(): Promise<void> {
    const now = performance.now();
    const waiting = [...this.#connections.values()].filter(
      ({ sentAt }) => sentAt !== undefined && now - sentAt > TIMEOUTS.silence,
    );
    const { statementTimeout } = this.#options;
    for (const connection of waiting) {
      const limit =
        connection.hasNoTimeout || statementTimeout === 0 ? Number.POSITIVE_INFINITY : statementTimeout;
      // Neither answered nor cancelled in time: the server has lost the connection.
      if (now - (connection.sentAt ?? now) > limit + TIMEOUTS.cancellation) terminate(connection);
    }
    if (waiting.length === 0 || this.#isProbing) return;
    this.#isProbing = true;
    const server = await probeServer(this.#options.config);
    // Answers that arrived while this process was stopped are read first.
    await setImmediate();
    this.#isProbing = false;
    if (server === UNIDENTIFIED_SERVER) return;
    for (const connection of this.#connections.values()) {
      const isUnanswered = connection.sentAt !== undefined && connection.sentAt < now;
      // Without a server, idle connections may still be good when it is back. Those to another server never are.
      if (
        server === undefined ? isUnanswered : connection.server !== undefined && connection.server !== server
      ) {
        terminate(connection);
      }
    }
  }
}

/** Has the SQLSTATE of a server that can't accept connections now. */
class BeingReplacedError extends Error {
  readonly code = '57P03';

  constructor() {
    super('the records are being replaced by another SIMS process');
  }
}

/** Fails the running statement; an idle connection is not used again. */
function terminate(connection: Connection): void {
  connection.isDead = true;
  const { client, sentAt } = connection;
  if (sentAt === undefined || !(client instanceof pg.Client)) return;
  void client.end();
  // It would wait for the answers to statements that have been sent.
  client.connection.stream.destroy();
}
