import { existsSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DatabaseLocation, formatLocation } from '../db/location.ts';
import type { Schema } from '../db/schema.ts';
import { rejectInterruptedRestore } from '../db/sqlite/data-dir-lock.ts';
import { loadSqliteEngine } from '../db/sqlite/engine.ts';
import { StartError } from '../start-error.ts';
import { copyServerToFolder } from '../transfer/copy.ts';
import { publishFile } from './atomic-write.ts';
import { type BackupReason, backupName } from './backup-folder.ts';
import { appendChecksum } from './checksum.ts';
import { type BackupContents, readContents } from './contents.ts';
import { createTempDir, type TempDir } from './temp-dir.ts';

export interface Backup {
  file: string;
  bytes: number;
  contents: BackupContents;
}

/** Makes a backup with a generated name in a folder, which is created if it is missing. */
export async function backupInto(
  folder: string,
  from: DatabaseLocation,
  occasion: BackupReason,
): Promise<Backup> {
  const file = join(folder, backupName(new Date(), occasion));
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw backupError(from, file, error);
  });
  return makeBackup(from, file);
}

/**
 * Writes a snapshot of an installation, of either engine, to one file, whether a server runs or not. The file is renamed to
 * its final name when it is complete, verified and on disk.
 */
export async function makeBackup(from: DatabaseLocation, to: string): Promise<Backup> {
  const file = resolve(to);
  if (existsSync(file))
    throw new StartError(`The file ${file} exists already. A backup never overwrites a file.`);
  let partial: TempDir | undefined;
  try {
    partial = await createTempDir(file);
    const written = join(partial.path, 'backup.db');
    if (from.kind === 'postgres') await copyServerToFolder(from, partial.path);
    await copyFolder(from.kind === 'sqlite' ? from.folder : partial.path, written);
    await removeSessions(written);
    const contents = await readContents(written, 'The backup as it was written');
    await appendChecksum(written);
    await chmod(written, 0o600);
    const { size } = await stat(written);
    await publishFile(written, file);
    return { file, bytes: size, contents };
  } catch (error) {
    throw backupError(from, file, error);
  } finally {
    await partial?.remove();
  }
}

/** Copies one snapshot; servers may write to the database during the copy. */
async function copyFolder(folder: string, to: string): Promise<void> {
  rejectInterruptedRestore(folder);
  const file = join(folder, 'sims.db');
  if (!existsSync(file)) throw new StartError(`There is no SIMS database in ${folder}.`);
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    database.exec(`pragma busy_timeout = 5000; vacuum into '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** Tables of sessions and pending links. An older schema version has fewer of them. */
const SESSION_TABLES = [
  'sessions',
  'password_resets',
  'email_verifications',
  'provider_sign_ins',
] as const satisfies (keyof Schema)[];

/** A restore must not revive sessions that have ended since the backup: everybody signs in again. */
async function removeSessions(file: string): Promise<void> {
  const database = (await loadSqliteEngine()).open(file);
  try {
    database.exec('pragma journal_mode = delete; pragma synchronous = off; pragma secure_delete = on');
    const findTable = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`);
    for (const table of SESSION_TABLES)
      if (findTable.all(table).length > 0) database.exec(`delete from ${table}`);
  } finally {
    database.close();
  }
}

function backupError(from: DatabaseLocation, file: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`No backup of ${formatLocation(from)} was made at ${file}: ${reason}.`);
}
