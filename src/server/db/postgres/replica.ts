import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import { getReason } from '../../start-error.ts';
import type { ReplicaState } from '../database.ts';
import { isRetryable, isUnavailable } from '../dialect/errors.ts';
import type { Db, Schema } from '../schema.ts';
import type { WatchedPool } from './pool.ts';
import { SessionError } from './session.ts';

/**
 * Connections to a replica for reading statements outside transactions. A statement that fails because of the replica is run
 * on the primary.
 */
class FallbackPool implements PostgresPool {
  readonly #replica: PostgresPool;
  readonly #primary: PostgresPool;
  readonly #onFailure: (error: unknown) => void;

  constructor(replica: PostgresPool, primary: PostgresPool, onFailure: (error: unknown) => void) {
    this.#replica = replica;
    this.#primary = primary;
    this.#onFailure = onFailure;
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      const client = await this.#replica.connect();
      return new FallbackClient(client, this.#primary, this.#onFailure);
    } catch (error) {
      this.#onFailure(error);
      return this.#primary.connect();
    }
  }

  /** The pool of the primary is ended by its owner. */
  end(): Promise<void> {
    return this.#replica.end();
  }
}

/** Caused by the replica, not the statement: it is unavailable, or replication removed rows that were being read. */
const isReplicaFault = (error: unknown) => isUnavailable(error) || isRetryable(error);

class FallbackClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #primary: PostgresPool;
  readonly #onFailure: (error: unknown) => void;

  constructor(client: PostgresPoolClient, primary: PostgresPool, onFailure: (error: unknown) => void) {
    this.#client = client;
    this.#primary = primary;
    this.#onFailure = onFailure;
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
      if (!isReplicaFault(error)) throw error;
      this.#onFailure(error);
    }
    const primary = await this.#primary.connect();
    try {
      return await primary.query<Row>(text, values);
    } finally {
      primary.release();
    }
  }
}

/** Milliseconds between two checks of the replica. */
const CHECK_INTERVAL_MS = 1_000;
/** Most replication lag in milliseconds. */
const MAX_LAG_MS = 10_000;

/** Position in the write-ahead log (LSN). */
type Lsn = bigint;
const START: Lsn = 0n;

/** Parses PostgreSQL's format of two hexadecimal numbers, `16/B374D848`. */
function parseLsn(text: string | null): Lsn {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/i.exec(text ?? '') ?? [];
  return high === undefined ? START : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

interface ReplicationStatus {
  lsn: string | null;
  /** The same on a primary and its replicas, as is the OID of a database. */
  system: string;
  database: string;
  isReplica: boolean;
}

const STATUS = sql<ReplicationStatus>`
  select pg_is_in_recovery() as "isReplica",
    (select system_identifier::text from pg_control_system()) as system,
    (select oid::text from pg_database where datname = current_database()) as database,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as lsn`;

/**
 * A read replica for queries whose results may be a moment old. A session reads from it only when it has replayed the
 * session's last write. The primary serves while the replica is unavailable or too far behind.
 */
export class Replica {
  readonly #primary: Db;
  readonly #pool: WatchedPool;
  /** Queries the replica only. */
  readonly #replica: Db;
  /** Falls back to the primary. */
  readonly #reading: Db;
  readonly #log: (what: string) => void;
  readonly #requireOwnSessions: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #check: Promise<void>;
  #isChecking = false;
  /** Whether it is known that its connections have sessions of their own. */
  #hasOwnSessions = false;
  #sessionError: SessionError | undefined;
  /** Why it is not used; undefined while it is. */
  #fault: string | undefined = 'it has not been checked yet';
  /** The state that was logged last; undefined before the first check. */
  #loggedServes: boolean | undefined;
  #replayed = START;
  /** Positions of the primary, with their times, that the replica has not replayed yet. */
  #pending: { lsn: Lsn; at: number }[] = [];

  constructor(
    { db, pool }: { db: Db; pool: WatchedPool },
    replica: { pool: WatchedPool; requireOwnSessions: () => Promise<void> },
    log: (what: string) => void,
  ) {
    this.#primary = db;
    this.#pool = replica.pool;
    this.#requireOwnSessions = replica.requireOwnSessions;
    this.#log = log;
    this.#replica = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: replica.pool }) });
    const fallback = new FallbackPool(replica.pool, pool, (error) => this.#setFault(getReason(error)));
    this.#reading = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: fallback }) });
    this.#timer = setInterval(() => this.#startCheck(), CHECK_INTERVAL_MS).unref();
    this.#check = this.#checkReplica();
  }

  /**
   * Waits for the first check. A replica that does not answer by then may do so later.
   *
   * @throws SessionError where a pooler in front of it shares its connections
   */
  async requireUsable(): Promise<void> {
    await this.#check;
    if (this.#sessionError !== undefined) throw this.#sessionError;
  }

  /** The database to read from for a session whose last write ended at this LSN. */
  async after(mark: string | null): Promise<Db> {
    if (this.#fault !== undefined) return this.#primary;
    const lsn = parseLsn(mark);
    if (lsn <= this.#replayed) return this.#reading;
    try {
      const { rows } = await STATUS.execute(this.#replica);
      return lsn <= parseLsn(rows[0]?.lsn ?? null) ? this.#reading : this.#primary;
    } catch (error) {
      this.#setFault(getReason(error));
      return this.#primary;
    }
  }

  get state(): ReplicaState {
    const now = performance.now();
    const behind = now - (this.#pending[0]?.at ?? now);
    return { ...this.#pool.counts, serves: this.#fault === undefined, behind };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
    await this.#pool.end();
  }

  #startCheck(): void {
    if (!this.#isChecking) this.#check = this.#checkReplica();
  }

  async #checkReplica(): Promise<void> {
    this.#isChecking = true;
    try {
      if (!this.#hasOwnSessions) await this.#requireOwnSessions();
      this.#hasOwnSessions = true;
      // Primary first: the other order could overstate how far the replica is.
      const [primary] = (await STATUS.execute(this.#primary)).rows;
      const at = performance.now();
      const [replica] = (await STATUS.execute(this.#replica)).rows;
      this.#setFault(this.#findFault(primary, replica, at));
    } catch (error) {
      if (error instanceof SessionError) {
        // Logged even after another fault: it does not pass by itself.
        if (this.#sessionError === undefined) this.#loggedServes = undefined;
        this.#sessionError = error;
      }
      this.#setFault(getReason(error));
    } finally {
      this.#isChecking = false;
    }
  }

  #findFault(
    primary: ReplicationStatus | undefined,
    replica: ReplicationStatus | undefined,
    at: number,
  ): string | undefined {
    if (primary === undefined || replica === undefined) return 'it does not report its position';
    if (!replica.isReplica || replica.system !== primary.system) return 'it does not follow the primary';
    if (replica.database !== primary.database) return 'its address names another database';
    this.#replayed = parseLsn(replica.lsn);
    this.#pending.push({ lsn: parseLsn(primary.lsn), at });
    this.#pending = this.#pending
      .filter(({ lsn }) => lsn > this.#replayed)
      .slice(0, MAX_LAG_MS / CHECK_INTERVAL_MS + 1);
    const [oldest] = this.#pending;
    return oldest !== undefined && at - oldest.at > MAX_LAG_MS ? 'it is far behind' : undefined;
  }

  #setFault(fault: string | undefined): void {
    const serves = fault === undefined;
    if (serves !== this.#loggedServes) {
      this.#loggedServes = serves;
      this.#log(
        serves
          ? 'the read replica serves lists, exports and insights'
          : `the read replica is not used, the primary serves: ${fault}`,
      );
    }
    this.#fault = fault;
    if (fault !== undefined) this.#replayed = START;
  }
}
