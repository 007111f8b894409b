import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { formatLocation, getLocation, type LocationSettings } from '../db/location.ts';
import { acquireCommandLock, rejectInterruptedRestore } from '../db/sqlite/data-dir-lock.ts';
import { toOpenError } from '../db/sqlite/database-file.ts';
import { createWriter } from '../db/sqlite/driver.ts';
import { FLUSH_CHECKPOINTS, loadSqliteEngine, type SqliteDatabase } from '../db/sqlite/engine.ts';
import { StartError } from '../start-error.ts';
import { requireCurrentVersion } from './preflight.ts';

export type CommandDatabase = Pick<Database, 'read' | 'write' | 'close'>;

/**
 * Opens a database for a short command, whether a server runs on it or not; creates and migrates nothing. In a data folder
 * the command and the server wait for each other's transactions, 5 seconds at most, so transactions here must be short.
 *
 * @throws StartError unless the database exists and has this program's schema version
 */
export async function openForCommand(settings: LocationSettings): Promise<CommandDatabase> {
  const location = getLocation(settings);
  const opened =
    location.kind === 'sqlite' ? await openFolder(location.folder) : await openServer(location.url);
  try {
    await requireCurrentVersion(opened.read, formatLocation(location));
    return opened;
  } catch (error) {
    await opened.close();
    throw location.kind === 'sqlite' ? toOpenError(getDatabaseFile(location.folder), error) : error;
  }
}

const getDatabaseFile = (folder: string) => join(folder, 'sims.db');

async function openFolder(folder: string): Promise<CommandDatabase> {
  const file = getDatabaseFile(folder);
  const missing = () => new StartError(`There is no SIMS database in ${folder}.`);
  rejectInterruptedRestore(folder);
  if (!existsSync(file)) throw missing();
  const engine = await loadSqliteEngine();
  const releaseLock = acquireCommandLock(engine, folder);
  let database: SqliteDatabase | undefined;
  try {
    // Checked again: only under the lock is it stable.
    rejectInterruptedRestore(folder);
    if (!existsSync(file)) throw missing();
    database = engine.open(file);
    database.exec(
      `pragma busy_timeout = 5000; pragma foreign_keys = on; pragma synchronous = full; ${FLUSH_CHECKPOINTS}`,
    );
  } catch (error) {
    database?.close();
    releaseLock();
    throw toOpenError(file, error);
  }
  const opened = database;
  const db = createWriter(opened);
  return {
    read: db,
    write: db,
    close: async () => {
      await db.destroy();
      opened.close();
      releaseLock();
    },
  };
}

async function openServer(url: string): Promise<CommandDatabase> {
  const { connectPostgres } = await import('../db/postgres/open-postgres.ts');
  const { db, close } = await connectPostgres(url);
  return { read: db, write: db, close };
}
