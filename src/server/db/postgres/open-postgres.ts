import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { getReason, StartError } from '../../start-error.ts';
import type { Database, ServerOptions } from '../database.ts';
import { type MigrateOptions, migrate } from '../migrate.ts';
import type { Db, Schema } from '../schema.ts';
import { WatchedPool } from './pool.ts';
import { acquireExclusiveLock, acquireSharedLock, type ProcessLock } from './process-lock.ts';
import { Replica } from './replica.ts';

/** Milliseconds for an answer at the start. */
const START_TIMEOUT_MS = 5_000;
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
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: START_TIMEOUT_MS,
    query_timeout: START_TIMEOUT_MS,
    application_name: 'sims',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<ServerSettings>(
      `select current_setting('server_version_num') as version,
        current_setting('server_encoding') as encoding,
        current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit`,
    );
    const [server] = rows;
    if (server === undefined) throw new StartError('The database server did not report its settings.');
    return server;
  } catch (error) {
    if (!(error instanceof Error && /timeout/i.test(error.message))) throw error;
    throw new StartError(
      `The database can't be used: no answer from ${client.host}:${client.port} in ${START_TIMEOUT_MS / 1_000} seconds`,
    );
  } finally {
    client.end().catch(() => {});
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
  close(): Promise<void>;
}

/** Connects without migrating, under the shared lock, unless the caller holds the exclusive lock (`isHeld`). */
export async function connectPostgres(url: string, options: ServerOptions = {}): Promise<PostgresConnection> {
  const { connections, statementTimeout, log, isHeld } = { ...DEFAULTS, ...options };
  try {
    const { commit } = await checkServer(url, log);
    const config = createConfig(url, commit);
    const pool = new WatchedPool({ config, connections, statementTimeout, acceptReplica: false });
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
    return await acquireExclusiveLock(createConfig(url, 'on'), label);
  } catch (error) {
    throw toStartError(error);
  }
}

/** Opens and migrates a database on a PostgreSQL server; any number of processes may share it. */
export async function openPostgres(
  url: string,
  options: ServerOptions & MigrateOptions = {},
): Promise<Database> {
  const { db, pool, close } = await connectPostgres(url, options);
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
    state: async () => ({ engine: 'postgresql', ...pool.counts }),
    close,
  };
  return options.readUrl === undefined ? opened : withReplica(opened, pool, options.readUrl, options);
}

function withReplica(database: Database, pool: WatchedPool, url: string, options: ServerOptions): Database {
  const { connections, statementTimeout, log } = { ...DEFAULTS, ...options };
  // Read only, so the durability of commits does not matter.
  const config = createConfig(url, 'on');
  const replicaPool = new WatchedPool({ config, connections, statementTimeout, acceptReplica: true });
  const replica = new Replica({ db: database.write, pool }, replicaPool, log);
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
    close: async () => {
      await replica.close();
      await database.close();
    },
  };
}

/**
 * Connection settings that override the defaults of server, database, role and URL. JIT compilation and parallel workers pay
 * off for long queries only; ours are short.
 */
function createConfig(url: string, commit: string): pg.ClientConfig {
  const address = new URL(url);
  const urlOptions = address.searchParams.get('options');
  address.searchParams.delete('options');
  const own = `-c synchronous_commit=${commit} -c jit=off -c max_parallel_workers_per_gather=0`;
  return {
    connectionString: address.href,
    options: urlOptions === null ? own : `${urlOptions} ${own}`,
    application_name: 'sims',
    types,
  };
}

/** Its message is without the URL, which contains a password. */
function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`The database can't be used: ${getReason(error)}`);
}
