import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { holdBeside, RESTORING, takeDataFolder } from '../db/data-folder.ts';
import { loadSqliteEngine } from '../db/sqlite-engine.ts';
import { StartError } from '../start-error.ts';
import { sync, syncFolder } from './durable.ts';
import type { Restoring } from './restore-backup.ts';
import { copyUnsealed } from './seal.ts';

/** A database and what belongs to it. */
const FILES = ['sims.db', 'sims.db-wal', 'sims.db-shm'] as const;

/** Where they are moved one by one: a restore that is broken off goes on with it, so that they stay together. */
const ASIDE = 'before-restore-unfinished';

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
  const engine = await loadSqliteEngine();
  const held = takeDataFolder(engine, folder);
  const partial = join(folder, `${RESTORING}.partial`);
  let letGo: (() => void) | undefined;
  try {
    letGo = holdBeside(engine, folder, { alone: true });
    const wasBrokenOff = existsSync(join(folder, RESTORING));
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
    // Of another time, and whole: only what a restore that was broken off has begun to set aside is added to.
    if (!wasBrokenOff && existsSync(join(folder, ASIDE))) await nameAside(folder);
    await rename(partial, join(folder, RESTORING));
    await syncFolder(folder);
    const kept = await setAside(folder, tell);
    await rename(join(folder, RESTORING), join(folder, 'sims.db'));
    await syncFolder(folder);
    return kept;
  } finally {
    await rm(partial, { force: true });
    letGo?.();
    held.release();
  }
}

async function setAside(folder: string, tell: Restoring['tell']): Promise<string | undefined> {
  const files = FILES.filter((name) => existsSync(join(folder, name)));
  const aside = join(folder, ASIDE);
  if (files.length === 0 && !existsSync(aside)) return undefined;
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of files) await rename(join(folder, name), join(aside, name));
  await syncFolder(aside);
  const kept = await nameAside(folder);
  tell(`What was there is kept in ${kept}.`);
  return kept;
}

async function nameAside(folder: string): Promise<string> {
  const kept = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`);
  await rename(join(folder, ASIDE), kept);
  return kept;
}
