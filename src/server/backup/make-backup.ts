import { existsSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyServer } from '../db/copy/copy-installation.ts';
import type { Place } from '../db/copy/place.ts';
import { refuseHalfRestored } from '../db/data-folder.ts';
import type { Schema } from '../db/schema.ts';
import { loadSqliteEngine } from '../db/sqlite-engine.ts';
import { StartError } from '../start-error.ts';
import { type Contents, contentsOf } from './contents.ts';
import { publish } from './durable.ts';
import { backupName, type Occasion } from './names.ts';
import { seal } from './seal.ts';
import { makeWorkFolder, type WorkFolder } from './work-folder.ts';

export interface Backup {
  file: string;
  bytes: number;
  contents: Contents;
}

/** Makes a backup under a name of the product's own in a folder, which is made where there is none. */
export async function backupInto(folder: string, from: Place, occasion: Occasion): Promise<Backup> {
  const file = join(folder, backupName(new Date(), occasion));
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notMade(error);
  });
  return makeBackup(from, file);
}

/**
 * Writes all that an installation holds at one moment into one file, whatever engine it is on, a server running or not. The
 * file gets its name when it is whole, has been looked at and is on the disk.
 */
export async function makeBackup(from: Place, to: string): Promise<Backup> {
  const file = resolve(to);
  if (existsSync(file))
    throw new StartError(`There is a file ${file} already. A backup is never written over one.`);
  let partial: WorkFolder | undefined;
  try {
    partial = await makeWorkFolder(file);
    const written = join(partial.path, 'backup.db');
    if (from.kind === 'postgres') await copyServer(from, partial.path);
    await copyFolder(from.kind === 'sqlite' ? from.folder : partial.path, written);
    await forgetSessions(written);
    const contents = await contentsOf(written, 'The backup as it was written');
    await seal(written);
    await chmod(written, 0o600);
    const { size } = await stat(written);
    await publish(written, file);
    return { file, bytes: size, contents };
  } catch (error) {
    throw notMade(error);
  } finally {
    await partial?.remove();
  }
}

/** As of one moment, while others go on writing: the engine reads one state to its end. */
async function copyFolder(folder: string, to: string): Promise<void> {
  refuseHalfRestored(folder);
  const file = join(folder, 'sims.db');
  if (!existsSync(file)) throw new StartError(`There is no SIMS database in ${folder}.`);
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    database.exec(`pragma busy_timeout = 5000; vacuum into '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** What was begun before the backup and lasts. An older version has fewer of them. */
const BEGUN = ['sessions', 'password_resets', 'provider_sign_ins'] as const satisfies (keyof Schema)[];

/** What has been ended since must not be good again when one goes back to the backup: everybody signs in again. */
async function forgetSessions(file: string): Promise<void> {
  const database = (await loadSqliteEngine()).open(file);
  try {
    database.exec('pragma journal_mode = delete; pragma synchronous = off; pragma secure_delete = on');
    const isThere = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`);
    for (const table of BEGUN) if (isThere.all(table).length > 0) database.exec(`delete from ${table}`);
  } finally {
    database.close();
  }
}

function notMade(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`No backup was made: ${error instanceof Error ? error.message : String(error)}.`);
}
