import { backupsIn, type NamedBackup } from './names.ts';
import { readSeal } from './seal.ts';

/**
 * The latest backup of a folder that was written to its end, whatever it was made for; undefined where there is none. Its
 * bytes are not looked at: that takes as long as reading all of it.
 */
export async function lastBackup(folder: string): Promise<NamedBackup | undefined> {
  for (const backup of await backupsIn(folder)) {
    if ((await readSeal(backup.file).catch(() => undefined)) !== undefined) return backup;
  }
  return undefined;
}
