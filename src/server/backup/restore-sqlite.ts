import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acquireCommandLock,
  acquireDataDirLock,
  RESTORE_IN_PROGRESS_FILE,
} from '../db/sqlite/data-dir-lock.ts';
import { syncFolder } from '../db/sqlite/database-file.ts';
import { loadSqliteEngine } from '../db/sqlite/engine.ts';
import { retryOnWindows } from '../db/sqlite/retry-on-windows.ts';
import { StartError } from '../start-error.ts';
import { syncFile } from './atomic-write.ts';
import { copyVerified } from './checksum.ts';

export interface RestoreOptions {
  /** Replaces existing records, which are kept. */
  force: boolean;
  /** Receives each line about the progress. */
  onProgress: (line: string) => void;
}

/** The files of a database. */
const FILES = ['sims.db', 'sims.db-wal', 'sims.db-shm'] as const;

/** The old files are moved here one by one; an interrupted restore continues with it, so that they stay together. */
const UNFINISHED_OLD_FILES = 'before-restore-unfinished';

const move = (from: string, to: string) => retryOnWindows(() => rename(from, to));

/**
 * Restores a backup to a data folder that no server uses. The old database is moved to a subfolder, which is a complete data
 * folder itself. After an interruption the folder is unchanged, or no server starts on it until the restore is run again.
 *
 * @returns the subfolder of the old database
 */
export async function restoreSqlite(
  file: string,
  folder: string,
  { force, onProgress }: RestoreOptions,
): Promise<string | undefined> {
  const engine = await loadSqliteEngine();
  const dataDirLock = acquireDataDirLock(engine, folder);
  const partial = join(folder, `${RESTORE_IN_PROGRESS_FILE}.partial`);
  let releaseCommandLock: (() => void) | undefined;
  try {
    releaseCommandLock = acquireCommandLock(engine, folder, { exclusive: true });
    const wasInterrupted = existsSync(join(folder, RESTORE_IN_PROGRESS_FILE));
    if (existsSync(join(folder, 'sims.db')) && !force) {
      throw new StartError(
        `The data folder ${folder} holds a database. With --force it is moved to a subfolder and replaced with the backup; nothing was changed.`,
      );
    }
    await rm(partial, { force: true });
    if (!(await copyVerified(file, partial))) {
      throw new StartError(`${file} has changed while it was read. Nothing was changed.`);
    }
    await syncFile(partial);
    // The complete old files of an earlier restore; only those of an interrupted one are added to.
    if (!wasInterrupted && existsSync(join(folder, UNFINISHED_OLD_FILES))) await renameOldFiles(folder);
    await move(partial, join(folder, RESTORE_IN_PROGRESS_FILE));
    await syncFolder(folder);
    const kept = await moveOldFiles(folder, onProgress);
    await move(join(folder, RESTORE_IN_PROGRESS_FILE), join(folder, 'sims.db'));
    await syncFolder(folder);
    return kept;
  } finally {
    await rm(partial, { force: true });
    releaseCommandLock?.();
    dataDirLock.release();
  }
}

async function moveOldFiles(
  folder: string,
  onProgress: RestoreOptions['onProgress'],
): Promise<string | undefined> {
  const files = FILES.filter((name) => existsSync(join(folder, name)));
  const oldFiles = join(folder, UNFINISHED_OLD_FILES);
  if (files.length === 0 && !existsSync(oldFiles)) return undefined;
  await mkdir(oldFiles, { recursive: true, mode: 0o700 });
  for (const name of files) await move(join(folder, name), join(oldFiles, name));
  await syncFolder(oldFiles);
  const kept = await renameOldFiles(folder);
  onProgress(`The old database is kept in ${kept}.`);
  return kept;
}

async function renameOldFiles(folder: string): Promise<string> {
  const kept = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`);
  await move(join(folder, UNFINISHED_OLD_FILES), kept);
  return kept;
}
