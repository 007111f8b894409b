import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type PlaceSettings, placeOf } from '../db/copy/place.ts';
import { StartError } from '../start-error.ts';
import { type Contents, contentsOf } from './contents.ts';
import { restoreFolder } from './restore-folder.ts';
import { restoreServer } from './restore-server.ts';
import { isSealed, readSeal } from './seal.ts';

export interface Restored {
  contents: Contents;
  /** Where what was there before is now. */
  kept: string | undefined;
}

export interface Restoring {
  /** What is there gives way, and is kept. */
  force: boolean;
  /** Takes each line of what is going on. */
  tell: (line: string) => void;
}

/** @throws StartError unless the file is a whole backup, byte by byte what was written, that this program can use */
export async function checkBackup(file: string): Promise<Contents> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StartError(`There is no file ${file}.`);
  if (found.isDirectory()) throw new StartError(`${file} is a folder: name the backup in it.`);
  if ((await readSeal(file)) === undefined) {
    throw new StartError(`${file} is no backup of SIMS, or not all of it: it does not end as one does.`);
  }
  if (!(await isSealed(file))) {
    throw new StartError(`${file} is damaged: it is not what was written when it was made.`);
  }
  return contentsOf(file, file);
}

/**
 * Puts a backup in the place that the settings name, whatever engine it was made on. The file is looked at as a whole before
 * anything is touched; what is in the place gives way only to force, and is kept even then.
 */
export async function restoreBackup(
  from: string,
  settings: PlaceSettings,
  restoring: Restoring,
): Promise<Restored> {
  const file = resolve(from);
  const contents = await checkBackup(file);
  const place = placeOf(settings);
  if (place.kind === 'sqlite') {
    return { contents, kept: await restoreFolder(file, place.folder, restoring) };
  }
  const beside = settings.backup.dir ?? dirname(file);
  return { contents, kept: await restoreServer(file, place, beside, restoring) };
}
