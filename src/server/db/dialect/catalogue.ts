import { sql } from 'kysely';
import type { Db, Tx } from '../schema.ts';
import { isPostgres } from './sql.ts';

export interface CatalogueColumn {
  table: string;
  column: string;
  /** 1 where the engine generates its values. */
  is_numbered: number;
}

/** The columns of all tables, from the engine's catalogue. */
export async function readCatalogue(db: Db): Promise<CatalogueColumn[]> {
  const query = isPostgres(db)
    ? sql<CatalogueColumn>`
        select t.tablename as "table", c.column_name as "column",
          case c.is_identity when 'YES' then 1 else 0 end as is_numbered
        from pg_tables t join information_schema.columns c
          on c.table_schema = t.schemaname and c.table_name = t.tablename
        where t.schemaname = current_schema()
        order by 1, 2`
    : sql<CatalogueColumn>`
        select t.name as "table", c.name as "column",
          iif(c.pk = 1 and t.sql like '%autoincrement%', 1, 0) as is_numbered
        from sqlite_schema t join pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite^_%' escape '^'
        order by 1, 2`;
  return (await query.execute(db)).rows;
}

/** A name in use, which a new table or trigger function can't have. */
export interface ExistingName {
  name: string;
  kind: string;
}

/** All names in use, from the engine's catalogue. */
export async function existingNames(db: Db): Promise<ExistingName[]> {
  const query = isPostgres(db)
    ? sql<ExistingName>`
        select relname as name, case when relkind in ('r', 'p') then 'table' when relkind in ('v', 'm') then 'view'
            when relkind in ('i', 'I') then 'index' when relkind = 'S' then 'sequence'
            when relkind = 'f' then 'foreign table' else 'type' end as kind
          from pg_class where relnamespace = cast(current_schema() as regnamespace)
        union select typname, 'type' from pg_type
          where typnamespace = cast(current_schema() as regnamespace) and typrelid = 0
        union select proname, 'function' from pg_proc
          where pronamespace = cast(current_schema() as regnamespace) and pronargs = 0
            and proname like '%^_is^_append^_only' escape '^'
        order by 1, 2`
    : sql<ExistingName>`select name, type as kind from sqlite_schema where type <> 'trigger' order by 1, 2`;
  return (await query.execute(db)).rows;
}

/** The columns of one table, much faster than {@link readCatalogue}; none where there is no such table. */
export async function tableColumns(db: Db, table: string): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ name: string }>`
        select attname as name from pg_attribute join pg_class c on c.oid = attrelid
        where c.relnamespace = cast(current_schema() as regnamespace) and c.relname = ${table} and c.relkind = 'r'
          and attnum > 0 and not attisdropped`
    : sql<{ name: string }>`
        select c.name from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table' and t.name = ${table}`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

export async function hasTable(db: Db, table: string): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${table}`
    : sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`;
  return (await query.execute(db)).rows.length > 0;
}

/** The last generated id of a column; 0 for none. */
export async function lastGeneratedId(db: Db, table: string, column: string): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ last: number | null }>`
        select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last`
    : sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${table}`;
  return (await query.execute(db)).rows[0]?.last ?? 0;
}

/** Makes the engine generate ids from `last` + 1. */
export async function continueIdsAfter(tx: Tx, table: string, column: string, last: number): Promise<void> {
  if (last === 0) return;
  if (isPostgres(tx)) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column})::regclass, ${last})`.execute(tx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx);
}

/** Removes all rows of tables, append-only ones too, and resets generated ids. `tables` lists each after those it references. */
export async function truncateTables(tx: Tx, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  if (isPostgres(tx)) {
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} restart identity`.execute(tx);
    return;
  }
  const triggers = await sql<{ name: string; statement: string }>`
    select name, sql as statement from sqlite_schema where type = 'trigger'`.execute(tx);
  for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx);
  for (const table of tables.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx);
  await sql`delete from sqlite_sequence`.execute(tx);
  for (const { statement } of triggers.rows) await sql.raw(statement).execute(tx);
}

/** Yields damage that the engine finds, and references to missing rows. Reads the whole database. */
export async function* checkIntegrity(db: Db): AsyncGenerator<string> {
  if (isPostgres(db)) {
    for (const table of new Set((await readCatalogue(db)).map((column) => column.table))) {
      // Reads every value, including those in TOAST storage.
      await sql`select sum(length(cast(t as text))) from ${sql.table(table)} t`.execute(db);
    }
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where not convalidated
        and connamespace = cast(current_schema() as regnamespace)
      union all select cast(indexrelid as regclass)::text from pg_index x join pg_class c on c.oid = x.indexrelid
        where not indisvalid and c.relnamespace = cast(current_schema() as regnamespace)`.execute(db);
    for (const { name } of rows) yield `${name} is not valid.`;
    return;
  }
  const checked = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  for (const { integrity_check } of checked.rows) if (integrity_check !== 'ok') yield `${integrity_check}.`;
  const dangling = await sql<{ table: string; rowid: number | null; parent: string }>`
    pragma foreign_key_check`.execute(db);
  for (const { table, rowid, parent } of dangling.rows) {
    yield `Row ${rowid ?? '?'} of ${table} refers to a row that is missing in ${parent}.`;
  }
}
