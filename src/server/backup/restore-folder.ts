import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RESTORING, takeDataFolder } from '../db/data-folder.ts';
import { loadSqliteEngine } from '../db/sqlite-engine.ts';
import { StartError } from '../start-error.ts';
import { sync, syncFolder } from './durable.ts';
import type { Restoring } from './restore-backup.ts';
import { copyUnsealed } from './seal.ts';

/** In this order: as long as the first is there, none has been moved. */
const FILES = ['sims.db', 'sims.db-wal', 'sims.db-shm'] as const;

/**
 * Puts a backup into a data folder that no server uses. What was there is moved, whole, to a folder of its own in it, from
 * which a server can be started as from any other. Broken off, the folder is as before, or none starts on it until the
 * restore is run again.
 *
 * @returns the folder of what was there
 */
export async function restoreFolder(
  file: string,
  folder: string,
  { force, tell }: Restoring,
): Promise<string | undefined> {
  const held = takeDataFolder(await loadSqliteEngine(), folder);
  const partial = join(folder, `${RESTORING}.partial`);
  try {
    if (existsSync(join(folder, 'sims.db')) && !force) {
      throw new StartError(
        `The data folder ${folder} holds a database. With --force it is kept aside and the backup takes its place; nothing was changed.`,
      );
    }
    await rm(partial, { force: true });
    if (!(await copyUnsealed(file, partial))) {
      throw new StartError(`${file} has changed while it was read. Nothing was changed.`);
    }
    await sync(partial);
    await rename(partial, join(folder, RESTORING));
    await syncFolder(folder);
    const kept = await setAside(folder, tell);
    await rename(join(folder, RESTORING), join(folder, 'sims.db'));
    await syncFolder(folder);
    return kept;
  } finally {
    await rm(partial, { force: true });
    held.release();
  }
}

async function setAside(folder: string, tell: Restoring['tell']): Promise<string | undefined> {
  const files = FILES.filter((name) => existsSync(join(folder, name)));
  if (files.length === 0) return undefined;
  const kept = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`);
  await mkdir(kept, { mode: 0o700 });
  for (const name of files) await rename(join(folder, name), join(kept, name));
  await syncFolder(kept);
  tell(`What was there is kept in ${kept}.`);
  return kept;
}
