import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { KEPT } from './compile-once.ts';
import { removeEndedSessions } from './ended-sessions.ts';
import { type Migrating, migrate } from './migrate.ts';
import type { Database } from './open.ts';
import type { Db, Schema } from './schema.ts';

/** Connections of one process. */
const CONNECTIONS = 10;
/** Milliseconds: to get a connection, and for one statement. */
const PATIENCE = { connection: 5_000, statement: 15_000 };
/** 15, as the server counts its versions. */
const LEAST_VERSION = 150_000;

/** Numbers come as numbers: all that the product stores are well within what they hold exactly. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Connects to a database on a PostgreSQL server, which is left as it is. `patient`: however long a statement takes. */
export async function connectPostgres(
  url: string,
  { patient = false }: { patient?: boolean | undefined } = {},
): Promise<{ db: Db; pool: pg.Pool }> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: PATIENCE.connection,
    statement_timeout: patient ? 0 : PATIENCE.statement,
    idle_in_transaction_session_timeout: patient ? 0 : PATIENCE.statement,
    // Whatever the server, the database or the role has as its default. Compiling a query or sharing it out among
    // processes pays for long ones only, and these are all short.
    options: '-c synchronous_commit=on -c jit=off -c max_parallel_workers_per_gather=0',
    keepAlive: true,
    application_name: 'sims',
    types,
  });
  // A connection that ends while nobody uses it is replaced at the next use, one that ends between two statements of a
  // transaction fails the next; without listeners either would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: keepingStatements(pool) }) });
  try {
    await checkServer(pool);
    return { db, pool };
  } catch (error) {
    throw await unusable(db, error);
  }
}

/** Opens a database on a PostgreSQL server, up to date; any number of processes may share it. */
export async function openPostgres(url: string, migrating: Migrating = {}): Promise<Database> {
  const { db, pool } = await connectPostgres(url, { patient: migrating.toFill });
  try {
    await migrate(db, migrating);
    await removeEndedSessions(db);
  } catch (error) {
    throw await unusable(db, error);
  }
  return {
    read: db,
    write: db,
    state: async () => ({
      engine: 'postgresql',
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: CONNECTIONS,
    }),
    close: () => db.destroy(),
  };
}

async function unusable(db: Db, error: unknown): Promise<StartError> {
  await db.destroy();
  if (error instanceof StartError) return error;
  return new StartError(`The database can't be used: ${reasonOf(error)}`);
}

/** Statements that one connection keeps; each costs the server memory for as long as that lasts. */
const STATEMENTS_KEPT = 200;

/** The pool as Kysely uses it, with the queries that say so prepared once on each connection. */
function keepingStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    if (!text.startsWith(KEPT)) return undefined;
    const name = names.get(text) ?? `kept_${names.size}`;
    if (!names.has(text) && names.size === STATEMENTS_KEPT) return undefined;
    names.set(text, name);
    return name;
  };
  return {
    end: () => pool.end(),
    connect: async () => new KeepingClient(await pool.connect(), nameOf),
  };
}

/** Kysely asks which of these a statement was, to tell how many rows it changed. */
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

class KeepingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #nameOf: (text: string) => string | undefined;

  constructor(client: pg.PoolClient, nameOf: (text: string) => string | undefined) {
    this.#client = client;
    this.#nameOf = nameOf;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    asked: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof asked !== 'string') throw new Error('Lists are read in pages, not from a held cursor.');
    return this.#run<Row>(asked, values);
  }

  release(): void {
    this.#client.release();
  }

  async #run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const name = this.#nameOf(text);
    const { command, rowCount, rows } = await this.#client.query({
      text,
      values: [...values],
      ...(name !== undefined && { name }),
    });
    return { command: COMMANDS.find((one) => one === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
  }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; encoding: string; fsync: string }>(
    `select current_setting('server_version_num') as version,
      current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync`,
  );
  const [server] = rows;
  if (server === undefined || Number(server.version) < LEAST_VERSION) {
    throw new StartError('The database server is older than PostgreSQL 15.');
  }
  if (server.encoding !== 'UTF8') throw new StartError('The database must be encoded in UTF-8.');
  if (server.fsync !== 'on') {
    throw new StartError('The database server does not promise durable writes: fsync is off.');
  }
}

/** Without the address, which holds a password. An unreachable server has a reason for each of its addresses. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
