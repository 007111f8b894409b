import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyConfig,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Turns } from '../../turns.ts';
import type { Schema } from '../schema.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './engine.ts';
import type { LogSync } from './log-sync.ts';

interface Durability {
  /** Makes commits durable where the engine's own are not; by default they are. */
  logSync?: LogSync;
  /** Moves the log to the database file, while nothing is written; never rejects. By default the engine does, at a commit. */
  moveLog?: () => Promise<void>;
}

type WriterOptions = Durability & Pick<KyselyConfig, 'log'>;

/**
 * Kysely over the writing connection of the embedded engine. Its transactions run one after another, and each acquires the
 * write lock at its start, so that it can't fail later because it read an older state.
 */
export const createWriter = (
  database: SqliteDatabase,
  { log, ...durability }: WriterOptions = {},
): Kysely<Schema> =>
  new Kysely({
    ...(log === undefined ? {} : { log }),
    dialect: createDialect(new SqliteConnection(database), durability),
  });

/**
 * Kysely over the reading connection. It has no transactions, so a query runs on it at once: acquiring and releasing a
 * connection for each would take as long as finding a row.
 */
export function createReader(database: SqliteDatabase): Kysely<Schema> {
  const connection = new SqliteConnection(database);
  const dialect = createDialect(connection);
  const driver = dialect.createDriver();
  const executor = new (class extends DefaultQueryExecutor {
    override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      return connection.executeQuery(query);
    }
  })(dialect.createQueryCompiler(), dialect.createAdapter(), new DefaultConnectionProvider(driver));
  return new Kysely({ config: { dialect }, dialect, driver, executor });
}

const createDialect = (connection: SqliteConnection, durability: Durability = {}): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(connection, durability),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** Most cached statements; SIMS has fewer, apart from lists of varying length. */
const MAX_PREPARED = 256;

/**
 * Milliseconds after which a transaction of many statements yields to the event loop. It keeps its connection, so that no other
 * statement can come between.
 */
const MAX_BLOCKING_MS = 3;

/** Milliseconds to wait for another program's lock on the file, and between two attempts. */
const LOCK_TIMEOUTS = { total: 5_000, retry: 20 };

const isLocked = (error: unknown) =>
  error instanceof Error && /database is (locked|busy)/i.test(error.message);

/** Commits after which the log is moved: that of a save has about 25 pages. */
const MAX_COMMITS_IN_LOG = 64;

export class SqliteConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, { statement: SqliteStatement; returnsRows: boolean }>();

  readonly #turns = new Turns();
  #isClosed = false;
  #yieldedAt = 0;
  #gaveUpAt = Number.NEGATIVE_INFINITY;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async begin(): Promise<void> {
    await this.#turns.take();
    this.#yieldedAt = performance.now();
    await this.#retryLocked(() => this.#database.exec('begin immediate'));
  }

  #isDue(): boolean {
    return performance.now() - this.#yieldedAt >= MAX_BLOCKING_MS;
  }

  async #yieldWhenDue(): Promise<void> {
    if (!this.#isDue()) return;
    await setImmediate();
    this.#yieldedAt = performance.now();
  }

  /**
   * Waits for another program's lock without blocking the event loop, as the engine's own busy timeout would. After one
   * caller has timed out, those queued behind it fail immediately instead of waiting as long each.
   */
  async #retryLocked<Result>(act: () => Result): Promise<Result> {
    const since = performance.now();
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!isLocked(error) || this.isInTransaction()) throw error;
        const now = performance.now();
        if (now - since >= LOCK_TIMEOUTS.total) this.#gaveUpAt = now;
        if (now - this.#gaveUpAt < LOCK_TIMEOUTS.total) throw error;
      }
      await setTimeout(LOCK_TIMEOUTS.retry);
    }
  }

  isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Rejects all later queries. The engine's own connection is closed by its owner. */
  close(): void {
    this.#isClosed = true;
    this.#statements.clear();
  }

  async executeQuery<Row>({
    sql,
    parameters,
  }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    if (this.isInTransaction()) await this.#yieldWhenDue();
    const { statement, returnsRows } = this.#prepare(sql);
    // Kysely types parameters as unknown; the engine throws a TypeError for a value that it can't bind.
    const values = parameters as readonly SqliteValue[];
    if (returnsRows) return { rows: (await this.#retryLocked(() => statement.all(...values))) as Row[] };
    const { changes, lastInsertRowid } = await this.#retryLocked(() => statement.run(...values));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Runs a change for each of several lists of values: the layers above it, and promises, take longer than such a statement. */
  async executeEach(sql: string, lists: readonly (readonly unknown[])[]): Promise<void> {
    for (const values of lists) {
      if (!this.isInTransaction() || this.#isDue()) await this.executeQuery({ sql, parameters: values });
      else this.#prepare(sql).statement.run(...(values as readonly SqliteValue[]));
    }
  }

  // biome-ignore lint/correctness/useYield: required by the interface; nothing streams through Kysely.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Lists are read in pages, not streamed from a held statement.');
  }

  #prepare(sql: string) {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= MAX_PREPARED && !oldest.done) this.#statements.delete(oldest.value);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #durability: Durability;
  #commitsInLog = 0;
  /** Resolves when the last caller in the queue has released the connection. */
  #queue: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;
  /** Whether the present caller may have committed something: a transaction, or statements outside of one. */
  #hasCommitted = false;

  constructor(connection: SqliteConnection, durability: Durability) {
    this.#connection = connection;
    this.#durability = durability;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const previous = this.#queue;
    let release: () => void = () => {};
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    this.#release = release;
    this.#hasCommitted = true;
    return this.#connection;
  }

  /**
   * The caller gets its result after this. It waits for the disk after it has handed the connection on, so the next ones can
   * commit meanwhile. A transaction that only read waits too: it may have read what is not yet on the disk, and be
   * acknowledged as a save without a difference.
   */
  async releaseConnection(): Promise<void> {
    const hasCommitted = this.#hasCommitted;
    if (hasCommitted) this.#countCommit();
    this.#release?.();
    if (hasCommitted) await this.#durability.logSync?.request();
  }

  /** Writes wait in the queue while the log is moved, since it starts again from its beginning only then; reads don't. */
  #countCommit(): void {
    const { moveLog } = this.#durability;
    this.#commitsInLog += 1;
    if (moveLog === undefined || this.#commitsInLog < MAX_COMMITS_IN_LOG) return;
    this.#commitsInLog = 0;
    this.#queue = this.#queue.then(moveLog);
  }

  async beginTransaction(): Promise<void> {
    this.#hasCommitted = false;
    this.#durability.logSync?.repair();
    await this.#connection.begin();
  }

  async commitTransaction(): Promise<void> {
    this.#connection.exec('commit');
    this.#hasCommitted = true;
  }

  async rollbackTransaction(): Promise<void> {
    // A full or failing disk may have ended the transaction; a second error here would hide the first.
    if (this.#connection.isInTransaction()) this.#connection.exec('rollback');
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}
