import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';
import type { Database } from '../database.ts';
import { type MigrateOptions, migrate } from '../migrate.ts';
import { acquireDataDirLock, rejectInterruptedRestore } from './data-dir-lock.ts';
import {
  createDamageError,
  createDatabaseFile,
  isDamageMessage,
  quickCheck,
  rejectEmptyFile,
} from './database-file.ts';
import { createReader, createWriter } from './driver.ts';
import { loadSqliteEngine, type SqliteDatabase } from './engine.ts';

/** Milliseconds a statement waits for another program's lock on the file, at the start and when reading. */
const BUSY_TIMEOUT_MS = 5000;
/** The same while closing: the process has to end soon, and a remaining log loses nothing. */
const CLOSE_TIMEOUT_MS = 1000;
/** Bytes to which the write-ahead log is truncated after a checkpoint; a large change makes it grow beyond. */
const MAX_LOG_BYTES = 16 * 2 ** 20;

/** Opens and migrates the embedded database of a data folder, with durable writes. */
export async function openEmbedded(dataDir: string, migrating: MigrateOptions = {}): Promise<Database> {
  const engine = await loadSqliteEngine();
  const lock = acquireDataDirLock(engine, dataDir, { allowNew: true });
  const file = join(dataDir, 'sims.db');
  const opened: SqliteDatabase[] = [];
  try {
    rejectInterruptedRestore(dataDir);
    createDatabaseFile(engine, file);
    rejectEmptyFile(file);
    const writer = engine.open(file);
    opened.push(writer);
    writer.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma foreign_keys = on`);
    quickCheck(writer);
    // In this order: switching to the write-ahead log resets `synchronous` to NORMAL.
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${MAX_LOG_BYTES}`,
    );

    const write = createWriter(writer);
    await migrate(write, migrating);
    checkDurability(writer);
    // From now on the driver waits for locks (driver.ts), without blocking the event loop.
    writer.exec('pragma busy_timeout = 0');

    const reader = engine.open(file);
    opened.push(reader);
    reader.exec(
      `pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma query_only = on; pragma cache_size = -65536`,
    );
    const read = createReader(reader);

    return {
      read,
      write,
      readAfter: async () => read,
      state: async () => ({
        engine: 'sqlite',
        fileBytes: await getSize(file),
        logBytes: await getSize(`${file}-wal`),
        freeBytes: await getFreeBytes(dataDir),
      }),
      close: async () => {
        // Waits for running transactions, which are before this in the queue.
        await write.connection().execute(async () => {
          await read.destroy();
          reader.close();
          try {
            // Moves the log into the database file.
            writer.exec(`pragma busy_timeout = ${CLOSE_TIMEOUT_MS}; pragma wal_checkpoint(truncate)`);
          } catch {
            // A full disk, for example. The log holds all acknowledged writes, and the next start applies it.
          }
        });
        await write.destroy();
        writer.close();
        lock.release();
      },
    };
  } catch (error) {
    for (const database of opened) database.close();
    lock.release();
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (isDamageMessage(reason)) throw createDamageError(file, reason);
    throw new StartError(`The database ${file} can't be opened: ${reason}`);
  }
}

const getSize = async (file: string) => (await stat(file)).size;

/** Free bytes for this user. */
async function getFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Checks the settings after a first write: right after the switch to the write-ahead log the pragma reads FULL even where
 * later writes would not be synchronised.
 */
function checkDurability(database: SqliteDatabase): void {
  database.exec('update schema_versions set name = name where version = 1; pragma optimize');
  const answers = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
    Object.values(database.prepare(`pragma ${name}`).all()[0] ?? {}).join(),
  );
  if (answers.join() !== 'wal,2,1') {
    throw new StartError(
      `The database does not guarantee durable writes (${answers.join()}): it must be on a local disk.`,
    );
  }
}
