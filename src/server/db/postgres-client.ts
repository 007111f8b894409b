import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { KEPT } from './compile-once.ts';
import { isReadOnlyServer, UNHURRIED } from './dialect.ts';

/** What is known of one connection. */
export interface Connection {
  readonly client: pg.ClientBase;
  /** Which server it leads to. */
  server: string | undefined;
  /** Since when an answer has been waited for, on the process's own clock. */
  askedAt: number | undefined;
  /** Its transaction may take as long as it wants. */
  isUnhurried: boolean;
  /** Nothing can be done over it any more. */
  isOver: boolean;
}

/** Statements that one connection keeps; each costs the server memory for as long as that lasts. */
const STATEMENTS_KEPT = 200;

/** Gives the queries that say so a name, by which each connection keeps them prepared. */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!text.startsWith(KEPT)) return undefined;
    const name = names.get(text) ?? `kept_${names.size}`;
    if (!names.has(text) && names.size === STATEMENTS_KEPT) return undefined;
    names.set(text, name);
    return name;
  };
}

/** Kysely asks which of these a statement was, to tell how many rows it changed. */
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** The part of the server that warns when its wait for a standby was broken off; the text depends on its language. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/** The server has made the change, but may be the only one to have it, and so may lose it. */
class OnlyHere extends Error {
  /** What becomes of the transaction is not known, as servers say it. */
  readonly code = '08007';

  constructor() {
    super('The wait for the standby was broken off.');
  }
}

/** A connection for as long as somebody uses it. */
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
    this.#client.release(this.#connection.isOver);
  }

  async #run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const connection = this.#connection;
    const name = this.#nameOf(text);
    connection.askedAt = performance.now();
    if (text === UNHURRIED) connection.isUnhurried = true;
    let isOnlyHere = false;
    const heed = ({ routine }: { routine?: string | undefined }) => {
      isOnlyHere ||= routine === WAIT_FOR_STANDBY;
    };
    this.#client.on('notice', heed);
    try {
      const { command, rowCount, rows } = await this.#client.query({
        text,
        values: [...values],
        ...(name !== undefined && { name }),
      });
      if (isOnlyHere) throw new OnlyHere();
      return { command: COMMANDS.find((one) => one === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
    } catch (error) {
      // Another server writes now: the next connection may lead there.
      if (isReadOnlyServer(error)) connection.isOver = true;
      throw error;
    } finally {
      this.#client.off('notice', heed);
      connection.askedAt = undefined;
      if (text === 'commit' || text === 'rollback') connection.isUnhurried = false;
    }
  }
}
