import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadSqliteEngine, type SqliteEngine } from '../db/sqlite/engine.ts';
import { retryOnWindows } from '../db/sqlite/retry-on-windows.ts';

/** A file in each temporary folder: an SQLite lock, which the operating system releases when the process ends. */
const LOCK = 'sims.work.lock';
/** Before the random end of a temporary folder's name. */
const SUFFIX = '.partial-';
/** Milliseconds after which a folder without a lock file is stale: its process ended before it was locked. */
const MAX_UNLOCKED_AGE_MS = 60_000;

export interface TempDir {
  path: string;
  remove(): Promise<void>;
}

/** Creates a temporary folder next to `file`, named after it. Removes stale ones of ended processes. */
export async function createTempDir(file: string): Promise<TempDir> {
  await removeStaleTempDirs(dirname(file));
  const engine = await loadSqliteEngine();
  const path = await mkdtemp(`${file}${SUFFIX}`);
  const lock = acquireLock(engine, path);
  return {
    path,
    remove: async () => {
      lock?.close();
      await removeDir(path);
    },
  };
}

/** Removes temporary folders of ended processes. */
export async function removeStaleTempDirs(folder: string): Promise<void> {
  const engine = await loadSqliteEngine();
  for (const name of await readdir(folder).catch(() => [])) {
    if (!new RegExp(`\\${SUFFIX}\\w{6}$`).test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
    if (!(existsSync(join(path, LOCK)) || Date.now() - mtimeMs > MAX_UNLOCKED_AGE_MS)) continue;
    const lock = acquireLock(engine, path);
    if (lock === undefined) continue;
    lock.close();
    await removeDir(path);
  }
}

/** Removes a temporary folder. One that can't be removed yet is stale from now on, and removed with the next one that is created. */
const removeDir = (path: string) =>
  retryOnWindows(() => rm(path, { recursive: true, force: true })).catch(() => {});

/** Undefined where another process holds the lock, or the folder is gone. */
function acquireLock(engine: SqliteEngine, path: string) {
  let lock: ReturnType<SqliteEngine['open']> | undefined;
  try {
    lock = engine.open(join(path, LOCK));
    lock.exec('pragma busy_timeout = 0; begin exclusive');
    return lock;
  } catch {
    lock?.close();
    return undefined;
  }
}
