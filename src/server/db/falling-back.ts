import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { isOutOfReach, isWorthRetrying } from './dialect.ts';

/**
 * Connections to a replica for statements that only read, each a transaction of its own. One that the replica can't be asked,
 * or fails at for its own reasons, is put to the other pool.
 */
export class FallingBackPool implements PostgresPool {
  readonly #replica: PostgresPool;
  readonly #primary: PostgresPool;
  readonly #failed: (error: unknown) => void;

  constructor(replica: PostgresPool, primary: PostgresPool, failed: (error: unknown) => void) {
    this.#replica = replica;
    this.#primary = primary;
    this.#failed = failed;
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      const client = await this.#replica.connect();
      return new FallingBackClient(client, this.#primary, this.#failed);
    } catch (error) {
      this.#failed(error);
      return this.#primary.connect();
    }
  }

  /** The other pool is ended by whom it belongs to. */
  end(): Promise<void> {
    return this.#replica.end();
  }
}

/** Its own fault, not the statement's: it is gone, or what it replays removed rows that were being read. */
const isTheReplicas = (error: unknown) => isOutOfReach(error) || isWorthRetrying(error);

class FallingBackClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #primary: PostgresPool;
  readonly #failed: (error: unknown) => void;

  constructor(client: PostgresPoolClient, primary: PostgresPool, failed: (error: unknown) => void) {
    this.#client = client;
    this.#primary = primary;
    this.#failed = failed;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    asked: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    return typeof asked === 'string' ? this.#read<Row>(asked, values) : this.#client.query(asked);
  }

  release(): void {
    this.#client.release();
  }

  async #read<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    try {
      return await this.#client.query<Row>(text, values);
    } catch (error) {
      if (!isTheReplicas(error)) throw error;
      this.#failed(error);
    }
    const other = await this.#primary.connect();
    try {
      return await other.query<Row>(text, values);
    } finally {
      other.release();
    }
  }
}
