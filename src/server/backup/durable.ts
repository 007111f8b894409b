import { existsSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { StartError } from '../start-error.ts';

/** Gives a file, written under another name of the same folder, its own: on the disk when this resolves, over none. */
export async function publish(file: string, to: string): Promise<void> {
  await sync(file);
  const taken = () => new StartError(`There is a file ${to} already. A backup is never written over one.`);
  try {
    await link(file, to);
    await unlink(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken();
    // Some file systems, those of memory sticks and Windows shares among them, know one name a file.
    if (existsSync(to)) throw taken();
    await rename(file, to);
  }
  await syncFolder(dirname(to));
}

/** Returns when what has been written to a file is on the disk. */
export async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns when the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and needs none opened.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
