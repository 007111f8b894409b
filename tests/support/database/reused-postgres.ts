import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../../../src/server/db/database.ts';
import { connectPostgres, type PostgresConnection } from '../../../src/server/db/postgres/open-postgres.ts';
import type { Schema } from '../../../src/server/db/schema.ts';

/** Bytes of all tables from which they are truncated, since deleted rows keep their space. */
const MAX_BYTES = 2 ** 22;

/** Changes with everything but rows: tables, columns, indexes, triggers, functions, and statistics of the planner. */
const SCHEMA_STATE = `select concat_ws(' ',
    (select md5(string_agg(concat_ws(' ', oid, relname, relnatts, relchecks, relrowsecurity), ',' order by oid))
      from pg_class where relnamespace = 'public'::regnamespace),
    (select md5(string_agg(concat_ws(' ', oid, tgenabled), ',' order by oid)) from pg_trigger),
    (select count(*) from pg_proc where pronamespace = 'public'::regnamespace),
    (select count(*) from pg_statistic where starelid >= 16384),
    (select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend')
  ) as state`;

/**
 * A database with empty tables, which applications use one after another. Removing their rows takes a tenth of the CPU time of
 * a new database, where each connection reads the catalogue again.
 */
export class ReusedDatabase {
  readonly #connection: PostgresConnection;
  /** Restores the rows, in a session of its own that keeps the plans of the statements. */
  readonly #session: pg.Client;
  #schema = '';

  private constructor(connection: PostgresConnection, session: pg.Client) {
    this.#connection = connection;
    this.#session = session;
  }

  /** @param url of a new database with empty tables */
  static async open(url: string): Promise<ReusedDatabase> {
    const session = new pg.Client({ connectionString: url });
    session.on('error', () => {});
    await session.connect();
    await session.query(await restoringFunction(session));
    const database = new ReusedDatabase(await connectPostgres(url), session);
    database.#schema = await database.#readSchema();
    return database;
  }

  /** For one application, no query reaches the database after it has ended. */
  lend(): Database {
    const { pool, ping } = this.#connection;
    let isOver = false;
    const db = new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: {
          connect: async () => {
            if (isOver) throw new Error('The application that used this database has ended.');
            return pool.connect();
          },
          end: async () => {
            isOver = true;
          },
        },
      }),
    });
    return {
      read: db,
      write: db,
      readAfter: async () => db,
      ping: () => ping(db),
      state: async () => ({ engine: 'postgresql', ...pool.counts }),
      close: async () => {
        // The driver ends the pool only if it has used it.
        isOver = true;
        await db.destroy();
      },
    };
  }

  /**
   * Makes it as it was when it was new.
   *
   * @returns whether that succeeded: false where more than rows has changed, or something still uses it
   */
  async restore(): Promise<boolean> {
    if (this.#connection.pool.counts.inUse > 0) return false;
    if ((await this.#readSchema()) !== this.#schema) return false;
    await this.#session.query('select pg_temp.restore_rows()');
    return true;
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#session.end();
  }

  async #readSchema(): Promise<string> {
    const { inUse, idle } = this.#connection.pool.counts;
    const { rows } = await this.#session.query<{ state: string }>({ name: 'state', text: SCHEMA_STATE });
    // The connections of the pool come and go.
    return `${rows[0]?.state.replace(/\d+$/, (connected) => String(Number(connected) - inUse - idle))}`;
  }
}

/** Deletes all rows, also from append-only tables, but keeps those that a new database has. */
async function restoringFunction(session: pg.Client): Promise<string> {
  const { rows: tables } = await session.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const { rows: sequences } = await session.query<{ name: string; last: number; is_called: boolean }>(
    `select sequencename as name, coalesce(last_value, start_value)::int as last, last_value is not null as is_called
      from pg_sequences where schemaname = 'public' order by 1`,
  );
  const initial: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await session.query(
      `create temp table initial_${name} as select * from public.${name}`,
    );
    if (rowCount !== 0) initial.push(name);
  }
  const all = tables.map(({ name }) => `public.${name}`);
  return `create function pg_temp.restore_rows() returns void language plpgsql as $$ begin
    perform set_config('session_replication_role', 'replica', true);
    if (select sum(pg_table_size(oid)) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r') > ${MAX_BYTES} then
      truncate ${all.join()};
    else
      ${all.map((table) => `delete from ${table};`).join('\n')}
    end if;
    ${initial.map((name) => `insert into public.${name} overriding system value select * from pg_temp.initial_${name};`).join('\n')}
    ${sequences.map(({ name, last, is_called }) => `perform setval('public.${name}', ${last}, ${is_called});`).join('\n')}
  end $$`;
}
