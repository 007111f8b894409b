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
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-engine.ts';

/**
 * Kysely over one connection of the embedded engine, with its prepared statements kept.
 *
 * `exclusive` is for the connection that writes: its transactions follow one another, and each takes the
 * write lock at its beginning, so that it can't fail half-way for having read an older state. The connection
 * that reads has no transactions, and each of its statements is done before the next can begin.
 */
export function sqliteDialect(database: SqliteDatabase, { exclusive }: { exclusive: boolean }): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(new SqliteConnection(database), exclusive),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Distinct statements kept; the product has well under this many, save for lists of varying length. */
const STATEMENTS_KEPT = 256;

/**
 * Milliseconds after which a transaction of many statements lets other calls have their turn before the next one. Its
 * connection is its own until it ends, so nothing can come between.
 */
const TURN = 3;

/** Milliseconds that work waits for a lock which another program holds on the file, and between two tries. */
const PATIENCE = { lock: 5_000, step: 20 };

const isLocked = (error: unknown) =>
  error instanceof Error && /database is (locked|busy)/i.test(error.message);

class SqliteConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, { statement: SqliteStatement; answersRows: boolean }>();

  #turnBegan = 0;
  #gaveUpAt = Number.NEGATIVE_INFINITY;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async begin(): Promise<void> {
    await this.#patiently(() => this.#database.exec('begin immediate'));
    this.#turnBegan = performance.now();
  }

  /**
   * Waits for another program's lock while others are served: the engine itself would hold up the whole process. Where
   * one has waited in vain, those behind it are not made to wait as long each in turn.
   */
  async #patiently<Result>(act: () => Result): Promise<Result> {
    const since = performance.now();
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!isLocked(error) || this.isInTransaction()) throw error;
        const now = performance.now();
        if (now - since >= PATIENCE.lock) this.#gaveUpAt = now;
        if (now - this.#gaveUpAt < PATIENCE.lock) throw error;
      }
      await setTimeout(PATIENCE.step);
    }
  }

  isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  forgetStatements(): void {
    this.#statements.clear();
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction() && performance.now() - this.#turnBegan > TURN) {
      await setImmediate();
      this.#turnBegan = performance.now();
    }
    const { statement, answersRows } = this.#prepare(sql);
    // The engine refuses what it can't bind with a TypeError of its own; Kysely types parameters as unknown.
    const values = parameters as readonly SqliteValue[];
    if (answersRows) return { rows: (await this.#patiently(() => statement.all(...values))) as Row[] };
    const { changes, lastInsertRowid } = await this.#patiently(() => statement.run(...values));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; nothing here streams through Kysely.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Lists are read in pages, not streamed from a held statement.');
  }

  #prepare(sql: string) {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, answersRows: statement.columns().length > 0 };
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= STATEMENTS_KEPT && !oldest.done) this.#statements.delete(oldest.value);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #exclusive: boolean;
  /** Settles when the last one in the queue has released the connection. */
  #queue: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(connection: SqliteConnection, exclusive: boolean) {
    this.#connection = connection;
    this.#exclusive = exclusive;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.#exclusive) return this.#connection;
    const before = this.#queue;
    let release: () => void = () => {};
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await before;
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
    // A full disk or a failing one may have ended it already; what went wrong first is what is to be told.
    if (this.#connection.isInTransaction()) this.#connection.exec('rollback');
  }

  /** Whoever opened the database closes it: Kysely calls this only if there has been a query. */
  async destroy(): Promise<void> {
    this.#connection.forgetStatements();
  }
}
