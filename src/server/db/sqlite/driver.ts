import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './engine.ts';

/**
 * Kysely dialect over one connection of the embedded engine, with a cache of prepared statements.
 *
 * `exclusive` is for the writing connection: its transactions run one after another, and each acquires the write lock at
 * its start, so that it can't fail later because it read an older state. The reading connection has no transactions.
 */
export function sqliteDialect(database: SqliteDatabase, { exclusive }: { exclusive: boolean }): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(new SqliteConnection(database), exclusive),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Most cached statements; SIMS has fewer, apart from lists of varying length. */
const MAX_PREPARED = 256;

/**
 * Milliseconds after which a transaction of many statements yields to the event loop. It keeps its connection, so no other
 * statement can come between.
 */
const MAX_BLOCKING_MS = 3;

/** Milliseconds to wait for another program's lock on the file, and between two attempts. */
const LOCK_TIMEOUTS = { total: 5_000, retry: 20 };

const isLocked = (error: unknown) =>
  error instanceof Error && /database is (locked|busy)/i.test(error.message);

class SqliteConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, { statement: SqliteStatement; returnsRows: boolean }>();

  #yieldedAt = 0;
  #gaveUpAt = Number.NEGATIVE_INFINITY;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async begin(): Promise<void> {
    await this.#retryLocked(() => this.#database.exec('begin immediate'));
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

  clearStatements(): void {
    this.#statements.clear();
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction() && performance.now() - this.#yieldedAt > MAX_BLOCKING_MS) {
      await setImmediate();
      this.#yieldedAt = performance.now();
    }
    const { statement, returnsRows } = this.#prepare(sql);
    // Kysely types parameters as unknown; the engine throws a TypeError for a value that it can't bind.
    const values = parameters as readonly SqliteValue[];
    if (returnsRows) return { rows: (await this.#retryLocked(() => statement.all(...values))) as Row[] };
    const { changes, lastInsertRowid } = await this.#retryLocked(() => statement.run(...values));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
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
  readonly #exclusive: boolean;
  /** Resolves when the last caller in the queue has released the connection. */
  #queue: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(connection: SqliteConnection, exclusive: boolean) {
    this.#connection = connection;
    this.#exclusive = exclusive;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.#exclusive) return this.#connection;
    const previous = this.#queue;
    let release: () => void = () => {};
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  async commitTransaction(): Promise<void> {
    this.#connection.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // A full or failing disk may have ended the transaction; a second error here would hide the first.
    if (this.#connection.isInTransaction()) this.#connection.exec('rollback');
  }

  /** The connection is closed by its owner: Kysely calls this only if there was a query. */
  async destroy(): Promise<void> {
    this.#connection.clearStatements();
  }
}
