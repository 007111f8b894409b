import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isInFailedTransaction, isReadOnlyServer } from '../dialect/errors.ts';
import { BEGIN_WITHOUT_TIMEOUTS } from '../dialect/locks.ts';
import { PREPARED_MARK, UNAWAITED_MARK } from '../prepared-query.ts';
import { NotReplicatedError } from './failover.ts';

/** State of one connection. */
export interface Connection {
  readonly client: pg.ClientBase;
  /** Identifies the server: its start time. */
  server: string | undefined;
  /** Statements that are not answered. */
  running: number;
  /** Start of the first of them on the monotonic clock; undefined while idle. */
  sentAt: number | undefined;
  /** The wait of a commit for the standby was cancelled. */
  isNotReplicated: boolean;
  /** Its transaction has no statement timeout. */
  hasNoTimeout: boolean;
  /** Closed or unusable. */
  isDead: boolean;
}

const isSelect = (text: string) => text.startsWith('select ') || text.startsWith(`${PREPARED_MARK}select `);

/** Most prepared statements per connection; each uses memory of the server. */
const MAX_PREPARED = 200;

/** Assigns statement names to the queries that start with {@link PREPARED_MARK}; each connection prepares them once. */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!text.startsWith(PREPARED_MARK)) return undefined;
    const name = names.get(text) ?? `prepared_${names.size}`;
    if (!names.has(text) && names.size === MAX_PREPARED) return undefined;
    names.set(text, name);
    return name;
  };
}

/** Kysely needs the command of a statement to interpret its row count. */
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** Most statements of a transaction that are sent without awaiting the result. */
const MAX_UNAWAITED = 50;

const nothing = <Row>(): PostgresQueryResult<Row> => ({ command: 'SELECT', rowCount: 0, rows: [] });

/**
 * A connection checked out of the pool. It sends statements without waiting for the answers to earlier ones (`pipeline` of the
 * driver); the server runs them in their order.
 */
export class WatchedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #connection: Connection;
  readonly #getName: (text: string) => string | undefined;
  /** `begin` is sent together with the first statement. */
  #isBeginDue = false;
  #beginning: Promise<unknown> | undefined;
  #isInTransaction = false;
  #isGathering = false;
  /** Statements of the transaction that were sent without awaiting the result. */
  #unawaited: Promise<unknown>[] = [];
  /** Why the transaction fails: the error of its first statement that failed. */
  #failure: unknown;

  constructor(client: pg.PoolClient, connection: Connection, getName: (text: string) => string | undefined) {
    this.#client = client;
    this.#connection = connection;
    this.#getName = getName;
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
    this.#client.release(this.#connection.isDead);
  }

  async #run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (text === 'begin') {
      this.#isBeginDue = true;
      this.#failure = undefined;
      return nothing();
    }
    const isEnd = text === 'commit' || text === 'rollback';
    if (this.#isBeginDue) {
      this.#isBeginDue = false;
      if (isEnd) return nothing();
      this.#isInTransaction = true;
      this.#beginning = this.#send('begin', []);
      this.#leave(this.#beginning);
      // A change waits: should `begin` fail, it would be stored at once.
      if (isSelect(text)) this.#beginning = undefined;
    }
    if (this.#beginning !== undefined) await this.#beginning;
    this.#beginning = undefined;
    if (isEnd) this.#isInTransaction = false;
    // What is rolled back may have failed.
    if (text === 'rollback') this.#unawaited = [];
    const sent = this.#send<Row>(text, values);
    if (this.#isInTransaction && text.startsWith(UNAWAITED_MARK) && this.#unawaited.length < MAX_UNAWAITED) {
      this.#leave(sent);
      return nothing();
    }
    await Promise.all([...this.#unawaited.splice(0), sent]);
    return sent;
  }

  /** Sends all statements of one turn of the event loop in one packet: each costs both sides more than most statements. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  #leave(sent: Promise<unknown>): void {
    sent.catch(() => {});
    this.#unawaited.push(sent);
  }

  async #send<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const connection = this.#connection;
    const name = this.#getName(text);
    if (connection.running === 0) connection.sentAt = performance.now();
    connection.running += 1;
    if (text === BEGIN_WITHOUT_TIMEOUTS) connection.hasNoTimeout = true;
    this.#gather();
    try {
      const { command, rowCount, rows } = await this.#client.query({
        text,
        values: [...values],
        ...(name !== undefined && { name }),
      });
      if (connection.isNotReplicated) throw new NotReplicatedError();
      // So the server ends a transaction of which a statement has failed.
      if (text === 'commit' && command === 'ROLLBACK')
        throw this.#failure ?? new Error('The transaction was rolled back.');
      return { command: COMMANDS.find((one) => one === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
    } catch (error) {
      // After a failover another server is the primary: a new connection may reach it.
      if (isReadOnlyServer(error)) connection.isDead = true;
      this.#failure ??= error;
      throw isInFailedTransaction(error) ? this.#failure : error;
    } finally {
      connection.isNotReplicated = false;
      connection.running -= 1;
      connection.sentAt = connection.running === 0 ? undefined : performance.now();
      if (text === 'commit' || text === 'rollback') connection.hasNoTimeout = false;
    }
  }
}
