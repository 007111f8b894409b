import { type FileHandle, open, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import type { Database } from '../database.ts';
import { type MigrateOptions, migrate } from '../migrate.ts';
import { Checkpointer } from './checkpointer.ts';
import { acquireDataDirLock, rejectInterruptedRestore } from './data-dir-lock.ts';
import {
  createDamageError,
  createDatabaseFile,
  isDamageMessage,
  quickCheck,
  rejectEmptyFile,
  syncFolder,
} from './database-file.ts';
import { createReader, createWriter } from './driver.ts';
import { FLUSH_CHECKPOINTS, loadSqliteEngine, type SqliteDatabase } from './engine.ts';
import { LogSync } from './log-sync.ts';

/** Milliseconds a statement waits for another program's lock on the file, at the start and when reading. */
const BUSY_TIMEOUT_MS = 5000;
/** The same while closing: the process has to end soon, and a remaining log loses nothing. */
const CLOSE_TIMEOUT_MS = 1000;
/** Pages with which the engine itself moves the log at a commit, after a large change for example: 16 MiB. */
const MAX_LOG_PAGES = 4_000;
/** Bytes to which the write-ahead log is truncated after a checkpoint; a large change makes it grow beyond. */
const MAX_LOG_BYTES = 16 * 2 ** 20;

/** Opens and migrates the embedded database of a data folder, with durable writes. */
export async function openEmbedded(dataDir: string, migrating: MigrateOptions = {}): Promise<Database> {
  const engine = await loadSqliteEngine();
  const lock = acquireDataDirLock(engine, dataDir, { allowNew: true });
  const file = join(dataDir, 'sims.db');
  const opened: (SqliteDatabase | FileHandle)[] = [];
  try {
    rejectInterruptedRestore(dataDir);
    await createDatabaseFile(engine, file);
    rejectEmptyFile(file);
    const writer = engine.open(file);
    opened.push(writer);
    writer.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma foreign_keys = on`);
    quickCheck(writer);
    // With NORMAL the engine syncs only when it moves the log. After commits, the driver does (log-sync.ts).
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = normal; ${FLUSH_CHECKPOINTS}; pragma journal_size_limit = ${MAX_LOG_BYTES}; pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`,
    );
    await migrate(createWriter(writer), migrating);
    dropStatistics(writer);
    // From now on the driver waits for locks (driver.ts), without blocking the event loop.
    writer.exec('pragma busy_timeout = 0');
    const log = await open(`${file}-wal`, 'r+');
    opened.push(log);
    await log.datasync();
    await syncFolder(dataDir);
    requireDurability(writer);
    const logSync = new LogSync(
      () => log.datasync(),
      () => moveLog(writer),
    );
    try {
      // The process before this one may have been killed after a sync that failed: see `LogSync.repair`.
      moveLog(writer);
    } catch {
      // Another program is reading, or the disk is full: neither may prevent the start.
    }
    const checkpointer = new Checkpointer(file);
    const write = createWriter(writer, { logSync, moveLog: () => checkpointer.move() });

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
      ping: async () => {
        await sql`select 1`.execute(read);
      },
      state: async () => ({
        engine: 'sqlite',
        fileBytes: await getSize(file),
        logBytes: await getSize(`${file}-wal`),
        freeBytes: await getFreeBytes(dataDir),
      }),
      close: async () => {
        // Waits for running transactions, which are before this in the queue, and then for the last sync.
        await write
          .connection()
          .execute(async () => {
            await checkpointer.close();
            await read.destroy();
            reader.close();
            writer.exec(`pragma busy_timeout = ${CLOSE_TIMEOUT_MS}`);
            moveLog(writer);
          })
          // A full or failing disk, for example. The log holds all acknowledged writes, and the next start applies it.
          .catch(() => {});
        await write.destroy();
        await log.close();
        writer.close();
        lock.release();
      },
    };
  } catch (error) {
    for (const one of opened) await one.close();
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
 * Writes the content of the log to the database file, syncs that, and empties the log.
 *
 * @throws the engine's error, also while another program reads the log
 */
function moveLog(database: SqliteDatabase): void {
  const [isBusy] = Object.values(database.prepare('pragma wal_checkpoint(truncate)').all()[0] ?? {});
  if (isBusy !== 0) throw new Error('The database is busy: another program reads its log.');
}

/**
 * Drops the planner's statistics, which an earlier version or another program made. They are of the tables as they were then: a
 * statement that was planned for three rows scans all of them once there are thousands. Without any, the engine takes every table
 * for a large one, and plans the same for each installation.
 */
function dropStatistics(database: SqliteDatabase): void {
  database.exec('drop table if exists sqlite_stat1; drop table if exists sqlite_stat4');
  // The connection has read them already.
  database.exec('pragma writable_schema = reset');
}

function requireDurability(database: SqliteDatabase): void {
  const answers = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
    Object.values(database.prepare(`pragma ${name}`).all()[0] ?? {}).join(),
  );
  if (answers.join() !== 'wal,1,1') {
    throw new StartError(
      `The database does not guarantee durable writes (${answers.join()}): it must be on a local disk.`,
    );
  }
}
