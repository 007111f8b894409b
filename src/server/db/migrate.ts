import { StartError } from '../start-error.ts';
import { relistAll } from '../students/listing.ts';
import { refuseUnfinished } from './copy/state.ts';
import { columnTypes, endTable, holdKey, takeTime, unhurried } from './dialect.ts';
import { refuseForeignTables } from './foreign-tables.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Db } from './schema.ts';
import { transact } from './transact.ts';

export interface Migrating {
  /** The database is a copy of another one, begun or not. */
  toFill?: boolean | undefined;
  /** Goes up to this version alone, as the source of a copy has it. */
  version?: number | undefined;
  /** Is waited for before anything of a database that is there is changed. */
  before?: ((version: number) => Promise<void>) | undefined;
}

/**
 * Brings the tables to the version that this program knows, all in one transaction: a start that is broken off
 * leaves the older version behind, whole. Refuses a database that a newer program has already changed, and the unfinished
 * copy of another one except to fill it.
 */
export async function migrate(
  db: Db,
  { toFill = false, version: upTo = MIGRATIONS.length, before }: Migrating = {},
): Promise<void> {
  await transact(db, async (tx) => {
    // Another process may be at it, for as long as it takes.
    await unhurried(tx);
    await holdKey(tx, 'sims migrations');
    if (!toFill) await refuseUnfinished(tx);
    await refuseForeignTables(tx);
    const { int, text } = columnTypes(tx);
    await endTable(
      tx,
      tx.schema
        .createTable('schema_versions')
        .ifNotExists()
        .addColumn('version', int, (c) => c.primaryKey().notNull())
        .addColumn('name', text, (c) => c.notNull())
        .addColumn('applied_at', text, (c) => c.notNull()),
    ).execute();

    const { version } = await tx
      .selectFrom('schema_versions')
      .select((eb) => eb.fn.coalesce(eb.fn.max('version'), eb.lit(0)).as('version'))
      .executeTakeFirstOrThrow();
    const current = Number(version);
    if (current > MIGRATIONS.length) {
      throw new StartError(
        `The database has schema version ${current}, but this program knows only ${MIGRATIONS.length}: start a newer SIMS.`,
      );
    }
    const missing = MIGRATIONS.slice(current, upTo);
    const isThere = current > 0 && missing.length > 0;
    if (isThere) await before?.(current);
    if (isThere) await takeTime(tx);
    for (const [i, migration] of missing.entries()) {
      await migration.up(tx);
      await tx
        .insertInto('schema_versions')
        .values({ version: current + i + 1, name: migration.name, applied_at: new Date().toISOString() })
        .execute();
    }
    if (isThere && missing.some(({ relists }) => relists)) await relistAll(tx);
  });
}
