import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { EXIT_CODES, SIMS_COMMAND, StartError } from '../../start-error.ts';
import type { SqliteDatabase, SqliteEngine } from './engine.ts';
import { retryOnWindows } from './retry-on-windows.ts';

/** For a file that is not, or no longer, the database that it should be: it must not be written to. */
export const createDamageError = (file: string, reason: string) =>
  new StartError(
    `The database ${file} is damaged or not a database (${reason}). Nothing was changed; restore a backup.`,
    EXIT_CODES.damaged,
  );

/** Whether an error message of the engine speaks of a damaged file. */
export const isDamageMessage = (message: string) => /malformed|corrupt|not a database/i.test(message);

/** Names the file, which the engine's own message does not. */
export const toOpenError = (file: string, error: unknown) =>
  error instanceof StartError
    ? error
    : new StartError(`${file} can't be opened: ${error instanceof Error ? error.message : String(error)}`);

/** An empty database before it is renamed to its final name; its presence marks an unfinished first start. */
const getUnfinishedFile = (file: string) => `${file}.new`;

/** Every start leaves these in a data folder. */
const LOCK_FILES = ['sims.lock', 'sims.beside.lock'];

/**
 * Rejects a data folder whose database is missing although it was used before or has backups: a volume is not mounted, or
 * a file was removed. An empty database must not be created there.
 *
 * @param hasBackups whether there are backups of this installation
 * @throws StartError
 */
export function rejectLostDatabase(folder: string, hasBackups: boolean): void {
  const file = join(folder, 'sims.db');
  if (existsSync(file) || existsSync(getUnfinishedFile(file))) return;
  const wasUsed = LOCK_FILES.some((name) => existsSync(join(folder, name)));
  // A write-ahead log without its database is damage, which `createDatabaseFile` reports.
  if ((!wasUsed && !hasBackups) || hasLog(file)) return;
  throw new StartError(
    `The data folder ${folder} has no database, but ${wasUsed ? 'lock files of one that was there' : 'there are backups of one'}. Nothing was changed; restore a backup, or begin with an empty database: ${SIMS_COMMAND} migrate --new.`,
    EXIT_CODES.damaged,
  );
}

/** Called before anything else is created in a folder, so that an interrupted first start still counts as a first start. */
export function markFirstStart(file: string): void {
  if (!existsSync(file) && !hasLog(file)) writeFileSync(getUnfinishedFile(file), '', { flag: 'a' });
}

/**
 * Creates an empty database where there is none. It is written under another name and then renamed: an empty `sims.db`
 * therefore always means damage.
 */
export async function createDatabaseFile(engine: SqliteEngine, file: string): Promise<void> {
  const unfinished = getUnfinishedFile(file);
  if (existsSync(file)) {
    rmSync(unfinished, { force: true });
    return;
  }
  if (hasLog(file)) throw createDamageError(file, `it is gone, and its log ${file}-wal is there`);
  // Truncated, not removed: its presence marks the first start.
  if (existsSync(unfinished)) truncateSync(unfinished);
  const database = engine.open(unfinished);
  database.exec('pragma journal_mode = wal');
  database.close();
  await retryOnWindows(() => rename(unfinished, file));
}

/** Called before the engine opens the file: SQLite takes an empty file for a new database. */
export function rejectEmptyFile(file: string): void {
  if (getSize(file) === 0) throw createDamageError(file, 'it is empty');
}

/**
 * Checks in constant time, at any size: the header, the length of the file, the schema, and that the first row of every
 * table can be read. A full check reads the whole file, which takes minutes on a large one.
 *
 * @throws the engine's error when the file is damaged
 */
export function quickCheck(database: SqliteDatabase): void {
  const tables = database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .all();
  for (const table of tables) {
    const [name] = Object.values(table ?? {});
    database.prepare(`select * from "${String(name).replaceAll('"', '""')}" limit 1`).all();
  }
}

/** Resolves when the names in a folder are on disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can't open folders, and does not need this.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the write-ahead log of a database is not empty. */
const hasLog = (file: string) => getSize(`${file}-wal`) > 0;

const getSize = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
