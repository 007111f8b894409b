import { Kysely, PostgresDialect, sql } from 'kysely';
import { FallingBackPool } from './falling-back.ts';
import type { ReplicaState } from './open.ts';
import type { WatchedPool } from './postgres-pool.ts';
import type { Db, Schema } from './schema.ts';

/** Milliseconds between two looks at how far the replica has come. */
const LOOK = 1_000;
/** Milliseconds by which it may be behind. */
const FAR_BEHIND = 10_000;

/** A place in the log of changes, which grows. */
type Place = bigint;
const START: Place = 0n;

/** As servers write it: two hexadecimal numbers, `16/B374D848`. */
function placeOf(text: string | null): Place {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/i.exec(text ?? '') ?? [];
  return high === undefined ? START : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

interface Standing {
  place: string | null;
  /** The same on a server and on all that follow it; so is the number of a database there. */
  system: string;
  database: string;
  follows: boolean;
}

const STANDING = sql<Standing>`
  select pg_is_in_recovery() as follows,
    (select system_identifier::text from pg_control_system()) as system,
    (select oid::text from pg_database where datname = current_database()) as database,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as place`;

/**
 * A server that follows the one that is written to, for reading what may be a moment old. Whoever has written is not sent to
 * it before it has come as far as their last write, and nobody is while it is away or far behind.
 */
export class Replica {
  readonly #primary: Db;
  readonly #pool: WatchedPool;
  /** Asks the replica alone. */
  readonly #own: Db;
  /** Asks the other one where the replica fails. */
  readonly #reading: Db;
  readonly #log: (what: string) => void;
  readonly #timer: NodeJS.Timeout;
  #look: Promise<void>;
  #isLooking = false;
  /** Why it is not asked; undefined while it is. */
  #fault: string | undefined = 'it has not been asked yet';
  /** Whether it served when the log was last told; nothing has been told before the first look. */
  #told: boolean | undefined;
  #place = START;
  /** Where the primary stood, and when, as far as the replica has not come yet. */
  #ahead: { place: Place; at: number }[] = [];

  constructor(
    { db, pool }: { db: Db; pool: WatchedPool },
    replica: WatchedPool,
    log: (what: string) => void,
  ) {
    this.#primary = db;
    this.#pool = replica;
    this.#log = log;
    this.#own = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: replica }) });
    const fallingBack = new FallingBackPool(replica, pool, (error) => this.#stand(reasonOf(error)));
    this.#reading = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: fallingBack }) });
    this.#timer = setInterval(() => this.#lookAgain(), LOOK).unref();
    this.#look = this.#lookAt();
  }

  /** What to read from for somebody after whose last write the primary's log stood there. */
  async after(mark: string | null): Promise<Db> {
    if (this.#fault !== undefined) return this.#primary;
    const place = placeOf(mark);
    if (place <= this.#place) return this.#reading;
    try {
      const { rows } = await STANDING.execute(this.#own);
      return place <= placeOf(rows[0]?.place ?? null) ? this.#reading : this.#primary;
    } catch (error) {
      this.#stand(reasonOf(error));
      return this.#primary;
    }
  }

  get state(): ReplicaState {
    const now = performance.now();
    const behind = now - (this.#ahead[0]?.at ?? now);
    return { ...this.#pool.counts, serves: this.#fault === undefined, behind };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
    await this.#pool.end();
  }

  #lookAgain(): void {
    if (!this.#isLooking) this.#look = this.#lookAt();
  }

  async #lookAt(): Promise<void> {
    this.#isLooking = true;
    try {
      // In this order: what the replica has by then can't be more than its due.
      const [primary] = (await STANDING.execute(this.#primary)).rows;
      const at = performance.now();
      const [replica] = (await STANDING.execute(this.#own)).rows;
      this.#stand(this.#faultOf(primary, replica, at));
    } catch (error) {
      this.#stand(reasonOf(error));
    } finally {
      this.#isLooking = false;
    }
  }

  #faultOf(primary: Standing | undefined, replica: Standing | undefined, at: number): string | undefined {
    if (primary === undefined || replica === undefined) return 'it does not say how far it has come';
    if (!replica.follows || replica.system !== primary.system) return 'it does not follow the primary';
    if (replica.database !== primary.database) return 'its address names another database';
    this.#place = placeOf(replica.place);
    this.#ahead.push({ place: placeOf(primary.place), at });
    this.#ahead = this.#ahead.filter(({ place }) => place > this.#place).slice(0, FAR_BEHIND / LOOK + 1);
    const [oldest] = this.#ahead;
    return oldest !== undefined && at - oldest.at > FAR_BEHIND ? 'it is far behind' : undefined;
  }

  #stand(fault: string | undefined): void {
    const serves = fault === undefined;
    if (serves !== this.#told) {
      this.#told = serves;
      this.#log(
        serves
          ? 'the read replica serves lists, exports and insights'
          : `the read replica is not asked, the primary serves: ${fault}`,
      );
    }
    this.#fault = fault;
    if (fault !== undefined) this.#place = START;
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
