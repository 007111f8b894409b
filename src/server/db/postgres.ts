import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { removeEndedSessions } from './ended-sessions.ts';
import { type Migrating, migrate } from './migrate.ts';
import type { Database, ServerOptions } from './open.ts';
import { holdServerAlone, type ServerHold, shareServer } from './postgres-hold.ts';
import { WatchedPool } from './postgres-pool.ts';
import { checkServer } from './postgres-server.ts';
import { Replica } from './replica.ts';
import type { Db, Schema } from './schema.ts';

/** Numbers come as numbers: all that the product stores are well within what they hold exactly. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

const DEFAULTS = { connections: 10, statementTimeout: 15_000, log: () => {} };

export interface Connected {
  db: Db;
  pool: WatchedPool;
  close(): Promise<void>;
}

/** Connects to a database on a PostgreSQL server, which is left as it is; whoever would have it alone is kept out. */
export async function connectPostgres(url: string, options: ServerOptions = {}): Promise<Connected> {
  const { connections, statementTimeout, log, isHeld } = { ...DEFAULTS, ...options };
  try {
    const { commit } = await checkServer(url, log);
    const config = configOf(url, commit);
    const pool = new WatchedPool({ config, connections, statementTimeout, mayFollow: false });
    const hold = isHeld
      ? undefined
      : await shareServer(config, (isBarred) => {
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
        await hold?.release();
      },
    };
  } catch (error) {
    throw unusable(error);
  }
}

/** Keeps every other process of the product out of it. */
export async function takeServer(url: string, label: string): Promise<ServerHold> {
  try {
    return await holdServerAlone(configOf(url, 'on'), label);
  } catch (error) {
    throw unusable(error);
  }
}

/** Opens a database on a PostgreSQL server, up to date; any number of processes may share it. */
export async function openPostgres(url: string, options: ServerOptions & Migrating = {}): Promise<Database> {
  const { db, pool, close } = await connectPostgres(url, options);
  try {
    await migrate(db, options);
    await removeEndedSessions(db);
  } catch (error) {
    await close();
    throw unusable(error);
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
  // What it answers is never written, so what a commit waits for does not matter.
  const config = configOf(url, 'on');
  const followed = new WatchedPool({ config, connections, statementTimeout, mayFollow: true });
  const replica = new Replica({ db: database.write, pool }, followed, log);
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
 * How to connect, whatever the server, the database, the role or the address have as their default. Compiling a query or
 * sharing it out among processes pays for long ones only, and these are all short.
 */
function configOf(url: string, commit: string): pg.ClientConfig {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.delete('options');
  const own = `-c synchronous_commit=${commit} -c jit=off -c max_parallel_workers_per_gather=0`;
  return {
    connectionString: address.href,
    options: given === null ? own : `${given} ${own}`,
    application_name: 'sims',
    types,
  };
}

function unusable(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`The database can't be used: ${reasonOf(error)}`);
}

/** Without the address, which holds a password. An unreachable server has a reason for each of its addresses. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
