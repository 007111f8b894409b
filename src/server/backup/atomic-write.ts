import { existsSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../db/sqlite/database-file.ts';
import { retryOnWindows } from '../db/sqlite/retry-on-windows.ts';
import { StartError } from '../start-error.ts';

/** Renames a finished file within its folder, without overwriting another. It is on disk when this resolves. */
export async function publishFile(file: string, to: string): Promise<void> {
  await syncFile(file);
  const exists = () => new StartError(`The file ${to} exists already. A backup never overwrites a file.`);
  try {
    await link(file, to);
    // Windows does not remove a file that is open. It has its final name all the same.
    await retryOnWindows(() => unlink(file)).catch(() => {});
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists();
    // Some file systems, such as FAT and Windows shares, have no hard links.
    if (existsSync(to)) throw exists();
    await retryOnWindows(() => rename(file, to));
  }
  await syncFolder(dirname(to));
}

/** Resolves when the contents of a file are on disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
