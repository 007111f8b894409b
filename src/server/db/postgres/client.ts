import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isReadOnlyServer } from '../dialect/errors.ts';
import { BEGIN_WITHOUT_TIMEOUTS } from '../dialect/locks.ts';
import { PREPARED_MARK } from '../prepared-query.ts';

/** State of one connection. */
export interface Connection {
  readonly client: pg.ClientBase;
  /** Identifies the server: its start time. */
  server: string | undefined;
  /** Start of the running statement on the monotonic clock; undefined while idle. */
  sentAt: number | undefined;
  /** Its transaction has no statement timeout. */
  hasNoTimeout: boolean;
  /** Closed or unusable. */
  isDead: boolean;
}

/** Most prepared statements per connection; each uses memory of the server. */
const MAX_PREPARED = 200;

/** Assigns statement names to the queries that start with {@link PREPARED_MARK}; each connection prepares them once. */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!text.startsWith(PREPARED_MARK)) return undefined;
    const name = names.get(text) ?? `kept_${names.size}`;
    if (!names.has(text) && names.size === MAX_PREPARED) return undefined;
    names.set(text, name);
    return name;
  };
}

/** Kysely needs the command of a statement to interpret its row count. */
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** Server routine that warns when the wait for a standby was cancelled; the text of the warning depends on the locale. */
const STANDBY_WAIT_ROUTINE = 'SyncRepWaitForLSN';

/** Committed on the primary only: a failover could lose the change. */
class NotReplicatedError extends Error {
  /** SQLSTATE 08007: transaction resolution unknown. */
  readonly code = '08007';

  constructor() {
    super('The wait for the standby was cancelled.');
  }
}

/** A connection checked out of the pool. */
export class WatchedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #connection: Connection;
  readonly #nameOf: (text: string) => string | undefined;

  constructor(client: pg.PoolClient, connection: Connection, nameOf: (text: string) => string | undefined) {
    this.#client = client;
    this.#connection = connection;
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
    this.#client.release(this.#connection.isDead);
  }

  async #run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const connection = this.#connection;
    const name = this.#nameOf(text);
    connection.sentAt = performance.now();
    if (text === BEGIN_WITHOUT_TIMEOUTS) connection.hasNoTimeout = true;
    let isNotReplicated = false;
    const onNotice = ({ routine }: { routine?: string | undefined }) => {
      isNotReplicated ||= routine === STANDBY_WAIT_ROUTINE;
    };
    this.#client.on('notice', onNotice);
    try {
      const { command, rowCount, rows } = await this.#client.query({
        text,
        values: [...values],
        ...(name !== undefined && { name }),
      });
      if (isNotReplicated) throw new NotReplicatedError();
      return { command: COMMANDS.find((one) => one === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
    } catch (error) {
      // After a failover another server is the primary: a new connection may reach it.
      if (isReadOnlyServer(error)) connection.isDead = true;
      throw error;
    } finally {
      this.#client.off('notice', onNotice);
      connection.sentAt = undefined;
      if (text === 'commit' || text === 'rollback') connection.hasNoTimeout = false;
    }
  }
}
