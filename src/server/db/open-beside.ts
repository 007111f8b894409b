import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import { describeSource } from './copy/check-places.ts';
import { labelOf, type PlaceSettings, placeOf } from './copy/place.ts';
import { holdBeside, refuseHalfRestored } from './data-folder.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { loadSqliteEngine, type SqliteDatabase } from './sqlite-engine.ts';

export type Beside = Pick<Database, 'read' | 'write' | 'close'>;

/**
 * Opens a database for a short piece of work, whether a server runs on it or not. Nothing is made or brought up to date. On a
 * data folder each transaction of either waits for the other's, five seconds at most; so nothing long may be done here.
 *
 * @throws StartError unless there is one, of this program's schema version
 */
export async function openBeside(settings: PlaceSettings): Promise<Beside> {
  const place = placeOf(settings);
  const opened = place.kind === 'sqlite' ? await openFolder(place.folder) : await openServer(place.url);
  try {
    await describeSource(opened.read, labelOf(place));
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openFolder(folder: string): Promise<Beside> {
  const file = join(folder, 'sims.db');
  const missing = () => new StartError(`There is no SIMS database in ${folder}.`);
  refuseHalfRestored(folder);
  if (!existsSync(file)) throw missing();
  const engine = await loadSqliteEngine();
  const letGo = holdBeside(engine, folder);
  let database: SqliteDatabase;
  try {
    // Only what is seen while it is held stays so.
    refuseHalfRestored(folder);
    if (!existsSync(file)) throw missing();
    database = engine.open(file);
    database.exec('pragma busy_timeout = 5000; pragma foreign_keys = on; pragma synchronous = full');
  } catch (error) {
    letGo();
    throw error;
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, { exclusive: true }) });
  return {
    read: db,
    write: db,
    close: async () => {
      await db.destroy();
      database.close();
      letGo();
    },
  };
}

async function openServer(url: string): Promise<Beside> {
  const { connectPostgres } = await import('./postgres.ts');
  const { db, close } = await connectPostgres(url);
  return { read: db, write: db, close };
}
