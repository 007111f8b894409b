import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasTable } from '../db/dialect/catalogue.ts';
import type { DatabaseLocation } from '../db/location.ts';
import type { Db } from '../db/schema.ts';
import { acquireDataDirLock, rejectInterruptedRestore } from '../db/sqlite/data-dir-lock.ts';
import { toOpenError } from '../db/sqlite/database-file.ts';
import { createReader } from '../db/sqlite/driver.ts';
import { loadSqliteEngine, type SqliteDatabase } from '../db/sqlite/engine.ts';

/** A snapshot of a database, which is not changed. */
export interface ReadOnlyDatabase {
  db: Db;
  close(): Promise<void>;
}

/** Opens a database without migrating it and keeps servers out of a data folder; undefined where there is no database. */
export async function openReadOnly(location: DatabaseLocation): Promise<ReadOnlyDatabase | undefined> {
  if (location.kind === 'postgres') return openServer(location);
  rejectInterruptedRestore(location.folder);
  const file = join(location.folder, 'sims.db');
  if (!existsSync(file)) return undefined;
  const engine = await loadSqliteEngine();
  // The server's own lock, so that none can start.
  const lock = acquireDataDirLock(engine, location.folder);
  let database: SqliteDatabase | undefined;
  try {
    database = engine.open(file, { readOnly: true });
    database.exec('pragma busy_timeout = 5000; pragma cache_size = -65536');
    const opened = database;
    const db = createReader(opened);
    return {
      db,
      close: async () => {
        await db.destroy();
        opened.close();
        lock.release();
      },
    };
  } catch (error) {
    database?.close();
    lock.release();
    throw toOpenError(file, error);
  }
}

/** Whether SIMS has ever been started on this database. */
export async function isInstalled(location: DatabaseLocation): Promise<boolean> {
  if (location.kind === 'sqlite') return existsSync(join(location.folder, 'sims.db'));
  const { db, close } = await openServer(location);
  try {
    return await hasTable(db, 'schema_versions');
  } finally {
    await close();
  }
}

/** Opens a snapshot of a database that a server may be writing to, without migrating it. */
export async function openSnapshot(location: DatabaseLocation): Promise<ReadOnlyDatabase | undefined> {
  if (location.kind === 'postgres') return openServer(location);
  rejectInterruptedRestore(location.folder);
  const file = join(location.folder, 'sims.db');
  return existsSync(file) ? openFileReadOnly(file) : undefined;
}

/** Opens a snapshot of a database file. */
export async function openFileReadOnly(file: string): Promise<ReadOnlyDatabase> {
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    // The snapshot is taken by the first read.
    database.exec(
      'pragma busy_timeout = 5000; pragma cache_size = -65536; begin; select 1 from sqlite_schema',
    );
  } catch (error) {
    database.close();
    throw toOpenError(file, error);
  }
  const db = createReader(database);
  return {
    db,
    close: async () => {
      await db.destroy();
      // The file stays open, and its snapshot with it, until the last prepared statement is garbage-collected.
      database.exec('rollback');
      database.close();
    },
  };
}

/** Opens a server in a transaction of its own, so that everything is read from one snapshot. */
async function openServer({
  url,
  isHeld,
}: DatabaseLocation & { kind: 'postgres' }): Promise<ReadOnlyDatabase> {
  const { connectPostgres } = await import('../db/postgres/open-postgres.ts');
  const { db: connection, close } = await connectPostgres(url, { statementTimeout: 0, isHeld });
  const db = await connection
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  return {
    db,
    close: async () => {
      // Fails where the connection was lost, which ends the transaction too.
      await db
        .rollback()
        .execute()
        .catch(() => {});
      await close();
    },
  };
}
