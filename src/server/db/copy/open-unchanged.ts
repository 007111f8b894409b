import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { StartError } from '../../start-error.ts';
import { refuseHalfRestored, takeDataFolder } from '../data-folder.ts';
import { hasTable } from '../dialect-tables.ts';
import type { Db, Schema } from '../schema.ts';
import { sqliteDialect } from '../sqlite-dialect.ts';
import { loadSqliteEngine } from '../sqlite-engine.ts';
import { labelOf, type Place } from './place.ts';

/** A database that can be read in one unchanging state, and is left as it is. */
export interface Unchanged {
  db: Db;
  close(): Promise<void>;
}

/** Opens without bringing up to date; undefined where there is no database yet. */
export async function openUnchanged(place: Place): Promise<Unchanged | undefined> {
  if (place.kind === 'postgres') return openServer(place);
  refuseHalfRestored(place.folder);
  const file = join(place.folder, 'sims.db');
  if (!existsSync(file)) return undefined;
  const engine = await loadSqliteEngine();
  // Held as by a server, so that none runs on it meanwhile.
  const folder = takeDataFolder(engine, place.folder);
  try {
    const database = engine.open(file, { readOnly: true });
    database.exec('pragma busy_timeout = 5000; pragma cache_size = -65536');
    const db = new Kysely<Schema>({ dialect: sqliteDialect(database, { exclusive: false }) });
    return {
      db,
      close: async () => {
        await db.destroy();
        database.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${labelOf(place)} can't be opened: ${reason}`);
  }
}

/** Whether a program of ours has ever made its tables there. */
export async function isThere(place: Place): Promise<boolean> {
  if (place.kind === 'sqlite') return existsSync(join(place.folder, 'sims.db'));
  const { db, close } = await openServer(place);
  try {
    return await hasTable(db, 'schema_versions');
  } finally {
    await close();
  }
}

/** Opens one state of a database that a server may be writing to, without bringing it up to date. */
export async function openSnapshot(place: Place): Promise<Unchanged | undefined> {
  if (place.kind === 'postgres') return openServer(place);
  refuseHalfRestored(place.folder);
  const file = join(place.folder, 'sims.db');
  return existsSync(file) ? openFile(file) : undefined;
}

/** Opens one state of a database file, whatever its name. */
export async function openFile(file: string): Promise<Unchanged> {
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    // What is read first decides which state it is.
    database.exec(
      'pragma busy_timeout = 5000; pragma cache_size = -65536; begin; select 1 from sqlite_schema',
    );
  } catch (error) {
    database.close();
    throw new StartError(
      `${file} can't be opened: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, { exclusive: false }) });
  return {
    db,
    close: async () => {
      await db.destroy();
      // The engine lets go of the file only when the last statement of the connection has been collected.
      database.exec('rollback');
      database.close();
    },
  };
}

/** All is read as it was at the beginning, whoever changes it meanwhile. */
async function openServer({ url, isHeld }: Place & { kind: 'postgres' }): Promise<Unchanged> {
  const { connectPostgres } = await import('../postgres.ts');
  const { db: connection, close } = await connectPostgres(url, { statementTimeout: 0, isHeld });
  const db = await connection
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  return {
    db,
    close: async () => {
      // A connection that is gone has nothing to give back.
      await db
        .rollback()
        .execute()
        .catch(() => {});
      await close();
    },
  };
}
