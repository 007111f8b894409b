import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadSqliteEngine, type SqliteEngine } from '../db/sqlite-engine.ts';

/** In each such folder: locked as a data folder is, so that the system drops the lock with the process, however that ends. */
const LOCK = 'sims.work.lock';
/** What the names of such folders end with. */
const MARK = '.partial-';
/** Milliseconds after which one without a lock was left before it was locked. */
const BEGINNING = 60_000;

export interface WorkFolder {
  path: string;
  remove(): Promise<void>;
}

/** Makes a folder for what is half done, beside `file` and named after it; what ended processes have left there goes. */
export async function makeWorkFolder(file: string): Promise<WorkFolder> {
  await removeAbandoned(dirname(file));
  const engine = await loadSqliteEngine();
  const path = await mkdtemp(`${file}${MARK}`);
  const lock = lockOf(engine, path);
  return {
    path,
    remove: async () => {
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Removes from a folder what processes that are gone have left half done. */
export async function removeAbandoned(folder: string): Promise<void> {
  const engine = await loadSqliteEngine();
  for (const name of await readdir(folder).catch(() => [])) {
    if (!new RegExp(`\\${MARK}\\w{6}$`).test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
    if (!(existsSync(join(path, LOCK)) || Date.now() - mtimeMs > BEGINNING)) continue;
    const lock = lockOf(engine, path);
    if (lock === undefined) continue;
    lock.close();
    await rm(path, { recursive: true, force: true });
  }
}

/** Undefined where another process has it, or it is gone. */
function lockOf(engine: SqliteEngine, path: string) {
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
