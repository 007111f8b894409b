import { sql } from 'kysely';
import { StartError } from '../start-error.ts';
import { rejectUnfinishedCopy } from './copy-marker.ts';
import { existingNames, tableColumns } from './dialect/catalogue.ts';
import { advisoryLock, tuneForBulkLoad, withoutTimeouts } from './dialect/locks.ts';
import { columnTypes, withTableOptions } from './dialect/sql.ts';
import { MIGRATIONS, type Migration } from './migrations/index.ts';
import type { Db, Tx } from './schema.ts';
import { COPIED_TABLES, UNCOPIED_TABLES } from './tables.ts';
import { retryTransaction } from './transaction.ts';

const VERSIONS = 'schema_versions';
const VERSION_COLUMNS = ['applied_at', 'name', 'version'];

/** @throws StartError where another program has made tables, or other objects, with the names of our tables */
export async function rejectNameCollisions(db: Db): Promise<void> {
  const columns = await tableColumns(db, VERSIONS);
  const isOurs = columns.toSorted().join() === VERSION_COLUMNS.join();
  if (isOurs) {
    const { rows } = await sql`select 1 from ${sql.table(VERSIONS)} limit 1`.execute(db);
    if (rows.length > 0) return;
  }
  const own = new Set(
    [...COPIED_TABLES, ...Object.keys(UNCOPIED_TABLES)].flatMap((table) => [
      table,
      `${table}_is_append_only`,
    ]),
  );
  if (isOurs) own.delete(VERSIONS);
  const foreign = (await existingNames(db)).filter(({ name }) => own.has(name));
  if (foreign.length === 0) return;
  const named = foreign.map(({ name, kind }) => (kind === 'table' ? name : `${name} (${kind})`));
  throw new StartError(
    `The database has tables that another program made: ${named.join(', ')}. SIMS needs a database of its own; nothing was changed.`,
  );
}

/** A row of `schema_versions`. */
interface AppliedMigration {
  version: number;
  name: string;
}

/**
 * Compares the names: another release may have numbered other migrations in the same way.
 *
 * @param applied in the order of their versions
 * @param label what has them, at the beginning of the message
 * @throws StartError for a database that another or a newer release has made
 */
export function requireKnownMigrations(
  applied: readonly AppliedMigration[],
  label: string,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  for (const { version, name } of applied) {
    const own = migrations[version - 1]?.name;
    if (own === undefined || own === name) continue;
    throw new StartError(
      `${label} was made by another release of SIMS: its migration ${version} is ${name}, that of this program ${own}. Nothing was changed; use the release that made it.`,
    );
  }
  const current = applied.at(-1)?.version ?? 0;
  if (current <= migrations.length) return;
  throw new StartError(
    `${label} has schema version ${current}, but this program knows only ${migrations.length}: start a newer SIMS.`,
  );
}

export interface MigrateOptions {
  /** The database is the target of a copy, unfinished or not yet started. */
  toFill?: boolean | undefined;
  /** Stops at this version, that of the source of a copy; by default the newest. */
  version?: number | undefined;
  /** Awaited before an existing database is changed. */
  before?: ((version: number) => Promise<void>) | undefined;
  /** All migrations in order; those of the product by default. */
  migrations?: readonly Migration[] | undefined;
}

/**
 * Brings the tables to the newest version in one transaction, so an interrupted start leaves the older version unchanged.
 *
 * @throws StartError for a database that a newer program has changed, and for an unfinished copy unless `toFill`
 */
export async function migrate(
  db: Db,
  {
    toFill = false,
    before,
    migrations = MIGRATIONS,
    version: target = migrations.length,
  }: MigrateOptions = {},
): Promise<void> {
  await retryTransaction(db, async (tx) => {
    // Another process may be migrating, which takes as long as it takes.
    await withoutTimeouts(tx);
    await advisoryLock(tx, 'sims migrations');
    if (!toFill) await rejectUnfinishedCopy(tx);
    await rejectNameCollisions(tx);
    await createVersionsTable(tx);
    const applied = await tx.selectFrom(VERSIONS).select(['version', 'name']).orderBy('version').execute();
    requireKnownMigrations(applied, 'The database', migrations);
    const current = applied.length;
    const missing = migrations.slice(current, target);
    if (current > 0 && missing.length > 0) {
      await before?.(current);
      await tuneForBulkLoad(tx);
    }
    for (const [i, migration] of missing.entries()) {
      await migration.up(tx);
      await tx
        .insertInto('schema_versions')
        .values({ version: current + i + 1, name: migration.name, applied_at: new Date().toISOString() })
        .execute();
    }
  });
}

async function createVersionsTable(tx: Tx): Promise<void> {
  const { int, text } = columnTypes(tx);
  await withTableOptions(
    tx,
    tx.schema
      .createTable(VERSIONS)
      .ifNotExists()
      .addColumn('version', int, (c) => c.primaryKey().notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('applied_at', text, (c) => c.notNull()),
  ).execute();
}
