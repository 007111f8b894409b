import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getLocation, type LocationSettings } from '../db/location.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { requireKeys } from '../secrets/stored-secrets.ts';
import { StartError } from '../start-error.ts';
import { readChecksum, verifyChecksum } from './checksum.ts';
import { type BackupContents, readContents } from './contents.ts';
import { restorePostgres } from './restore-postgres.ts';
import { type RestoreOptions, restoreSqlite } from './restore-sqlite.ts';

export interface RestoreResult {
  contents: BackupContents;
  /** Where the old records are kept; undefined where there were none. */
  kept: string | undefined;
}

/** @throws StartError unless the file is a complete backup with the right checksum that this program can read */
export async function checkBackup(file: string): Promise<BackupContents> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StartError(`There is no file ${file}.`);
  if (found.isDirectory()) throw new StartError(`${file} is a folder: name the backup in it.`);
  if ((await readChecksum(file)) === undefined) {
    throw new StartError(`${file} is not a complete backup of SIMS: the checksum at its end is missing.`);
  }
  if (!(await verifyChecksum(file))) {
    throw new StartError(`${file} is damaged: its checksum is wrong.`);
  }
  return readContents(file, file);
}

const LOST_KEYS =
  'Nothing was changed. If the file is lost, --without-keys restores all the same; the next start says how to go on.';

/**
 * Restores a backup of either engine to the database that the settings name. The whole file is verified before anything is
 * changed. Existing records are replaced only with `force`, and are kept even then.
 *
 * @param options `secrets` must decrypt the keys in it; undefined: they are lost, and no server starts before they are replaced
 */
export async function restoreBackup(
  from: string,
  settings: LocationSettings,
  { secrets, ...options }: RestoreOptions & { secrets: Secrets | undefined },
): Promise<RestoreResult> {
  const file = resolve(from);
  const contents = await checkBackup(file);
  if (secrets !== undefined) requireKeys(secrets, contents.sealedBy, file, LOST_KEYS);
  const location = getLocation(settings);
  if (location.kind === 'sqlite') {
    return { contents, kept: await restoreSqlite(file, location.folder, options) };
  }
  const backupFolder = settings.backup.dir ?? dirname(file);
  return { contents, kept: await restorePostgres(file, location, backupFolder, options) };
}
