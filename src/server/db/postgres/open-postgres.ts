import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { getReason, StartError } from '../../start-error.ts';
import type { Database, ServerOptions } from '../database.ts';
import { type MigrateOptions, migrate } from '../migrate.ts';
import type { Db, Schema } from '../schema.ts';
import { WatchedPool } from './pool.ts';
import { acquireExclusiveLock, acquireSharedLock, type ProcessLock } from './process-lock.ts';
import { Replica } from './replica.ts';
import { type AddressSetting, requireOwnSession, type SessionSettings } from './session.ts';

/** Milliseconds for an answer at the start. */
const START_TIMEOUT_MS = 5_000;
/** For an answer over the pool before that over the connection of the lock counts too. */
const PING_MS = 100;
/** Connections of the start, to tell whether each has a session of its own. */
const CHECKED_CONNECTIONS = 3;
/** PostgreSQL 15 as `server_version_num`. */
const MIN_VERSION = 150_000;

interface ServerSettings {
  version: string;
  encoding: string;
  fsync: string;
  /** `synchronous_commit`. */
  commit: string;
}

/**
 * Reads the server's own settings, over a connection without options, and rejects an unsuitable server.
 *
 * @returns the value of `synchronous_commit` to use: at least `on`
 */
async function checkServer(
  url: string,
  log: (what: string) => void,
): Promise<{ commit: 'on' | 'remote_apply' }> {
  const server = await readServerSettings(url);
  if (isTooOld(server.version)) throw new StartError('The database server is older than PostgreSQL 15.');
  if (server.encoding !== 'UTF8') throw new StartError('The database must be encoded in UTF-8.');
  if (server.fsync !== 'on') {
    log('the database server does not guarantee durable writes: fsync is off');
  }
  if (!['on', 'remote_apply'].includes(server.commit)) {
    log(
      `the database server does not guarantee durable writes by default: synchronous_commit is ${server.commit}; SIMS turns it on for its own connections`,
    );
  }
  return { commit: server.commit === 'remote_apply' ? 'remote_apply' : 'on' };
}

/** @param version `server_version_num`: 150004 is 15.4 */
export const isTooOld = (version: string) => !(Number(version) >= MIN_VERSION);

async function readServerSettings(url: string): Promise<ServerSettings> {
  return withOwnSession(url, 'DATABASE_URL', async (client) => {
    const { rows } = await client.query<ServerSettings>(
      `select current_setting('server_version_num') as version,
        current_setting('server_encoding') as encoding,
        current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit`,
    );
    const [server] = rows;
    if (server === undefined) throw new StartError('The database server did not report its settings.');
    return server;
  });
}

/**
 * Connects for as long as `read` takes, and checks that each connection has a session of its own.
 *
 * @throws SessionError where it has not
 * @throws StartError without an answer in time
 */
async function withOwnSession<Found>(
  url: string,
  address: AddressSetting,
  read: (client: pg.Client) => Promise<Found>,
): Promise<Found> {
  const clients = Array.from({ length: CHECKED_CONNECTIONS }, () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: START_TIMEOUT_MS,
      query_timeout: START_TIMEOUT_MS,
      application_name: 'sims',
    });
    client.on('error', () => {});
    return client;
  });
  const [client = new pg.Client(), ...others] = clients;
  try {
    await client.connect();
    const found = await read(client);
    for (const other of others) await other.connect();
    await requireOwnSession(client, others, address);
    return found;
  } catch (error) {
    if (error instanceof Error && /does not support SSL/.test(error.message))
      throw new StartError(
        `The database can't be used: ${client.host} has no encrypted connections. Turn on TLS there, or, where nobody else reaches the network between, put sslmode=disable at the end of ${address}: postgres://…?sslmode=disable`,
      );
    if (!(error instanceof Error && /timeout/i.test(error.message))) throw error;
    throw new StartError(
      `The database can't be used: no answer from ${client.host}:${client.port} in ${START_TIMEOUT_MS / 1_000} seconds`,
    );
  } finally {
    for (const one of clients) one.end().catch(() => {});
  }
}

/** Parses 64-bit integers and decimals as numbers: all values that SIMS stores are safe integers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

const DEFAULTS = { connections: 10, statementTimeout: 15_000, log: () => {} };

export interface PostgresConnection {
  db: Db;
  pool: WatchedPool;
  /** The {@link Database.ping} of a `db` over this pool. */
  ping(db: Db): Promise<void>;
  close(): Promise<void>;
}

/** Connects without migrating, under the shared lock, unless the caller holds the exclusive lock (`isHeld`). */
export async function connectPostgres(url: string, options: ServerOptions = {}): Promise<PostgresConnection> {
  const { connections, statementTimeout, log, isHeld } = { ...DEFAULTS, ...options };
  try {
    const { commit } = await checkServer(url, log);
    const config = createConfig(url);
    const session = sessionSettings(commit);
    const pool = new WatchedPool({ config, session, connections, statementTimeout, acceptReplica: false });
    const lock = isHeld
      ? undefined
      : await acquireSharedLock(config, (isBarred) => {
          pool.isBarred = isBarred;
        }).catch(async (error: unknown) => {
          await pool.end();
          throw error;
        });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    return {
      db,
      pool,
      ping: async (db) => {
        if (lock !== undefined && !pool.hasRoom) return lock.confirm();
        const asked = sql`select 1`.execute(db);
        const isLate = setTimeout(PING_MS, true, { ref: false });
        // A new connection may take long to make while the server is busy.
        if ((await Promise.race([asked, isLate])) === true)
          await Promise.any([asked, lock?.confirm() ?? asked]);
      },
      close: async () => {
        await db.destroy();
        await lock?.release();
      },
    };
  } catch (error) {
    throw toStartError(error);
  }
}

/** Keeps all other SIMS processes out of a database. */
export async function acquireServerLock(url: string, label: string): Promise<ProcessLock> {
  try {
    return await acquireExclusiveLock(createConfig(url), label);
  } catch (error) {
    throw toStartError(error);
  }
}

/** Opens and migrates a database on a PostgreSQL server; any number of processes may share it. */
export async function openPostgres(
  url: string,
  options: ServerOptions & MigrateOptions = {},
): Promise<Database> {
  const { db, pool, ping, close } = await connectPostgres(url, options);
  try {
    await migrate(db, options);
  } catch (error) {
    await close();
    throw toStartError(error);
  }
  const opened: Database = {
    read: db,
    write: db,
    readAfter: async () => db,
    ping: () => ping(db),
    state: async () => ({ engine: 'postgresql', ...pool.counts }),
    close,
  };
  return options.readUrl === undefined ? opened : withReplica(opened, pool, options.readUrl, options);
}

/** @throws SessionError where the replica answers, but through a pooler that shares connections */
async function withReplica(
  database: Database,
  pool: WatchedPool,
  url: string,
  options: ServerOptions,
): Promise<Database> {
  const { connections, statementTimeout, log } = { ...DEFAULTS, ...options };
  // Read only, so the durability of commits does not matter.
  const [config, session] = [createConfig(url), sessionSettings('on')];
  const replicaPool = new WatchedPool({
    config,
    session,
    connections,
    statementTimeout,
    acceptReplica: true,
  });
  const requireOwnSessions = () => withOwnSession(url, 'DATABASE_READ_URL', async () => {});
  const replica = new Replica({ db: database.write, pool }, { pool: replicaPool, requireOwnSessions }, log);
  const close = async () => {
    await replica.close();
    await database.close();
  };
  try {
    await replica.requireUsable();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...database,
    readAfter: (mark) => replica.after(mark),
    state: async () => ({ engine: 'postgresql', ...pool.counts, replica: replica.state }),
    noteWrite: async (tokenHash) => {
      await database.write
        .updateTable('sessions')
        .set({ written_up_to: sql<string>`pg_current_wal_lsn()::text` })
        .where('token_hash', '=', tokenHash)
        .execute();
    },
    close,
  };
}

const createConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'sims',
  types,
});

/**
 * Overrides the defaults of server, database, role and URL. JIT compilation and parallel workers pay off for long queries only;
 * ours are short.
 */
const sessionSettings = (commit: string): SessionSettings => ({
  synchronous_commit: commit,
  jit: 'off',
  max_parallel_workers_per_gather: '0',
});

/** Its message is without the URL, which contains a password. */
function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`The database can't be used: ${getReason(error)}`);
}
