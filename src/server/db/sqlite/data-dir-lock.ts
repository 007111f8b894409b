import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT_CODES, getReason, SIMS_COMMAND, StartError } from '../../start-error.ts';
import { markFirstStart } from './database-file.ts';
import type { SqliteEngine } from './engine.ts';

export interface DataDirLock {
  path: string;
  release(): void;
}

/**
 * Locks a data folder for this process.
 *
 * The lock is an exclusive transaction on a separate SQLite database: the operating system releases it with the process,
 * however that ends, so there are no stale locks. The file `sims.pid` is only for messages.
 *
 * @param allowNew whether the caller creates a database if there is none
 */
export function acquireDataDirLock(
  engine: SqliteEngine,
  path: string,
  { allowNew = false } = {},
): DataDirLock {
  const pidFile = join(path, 'sims.pid');
  try {
    createFolder(path);
  } catch (error) {
    throw new StartError(`The data folder ${path} can't be created: ${getReason(error)}`);
  }
  let lock: ReturnType<SqliteEngine['open']> | undefined;
  try {
    if (allowNew) markFirstStart(join(path, 'sims.db'));
    lock = engine.open(join(path, 'sims.lock'));
    lock.exec('pragma busy_timeout = 0; begin exclusive');
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(getReason(error))) {
      throw new StartError(
        `The data folder ${path} is in use by ${readHolder(pidFile)}, another SIMS process. Stop that one first, or set SIMS_DATA_DIR.`,
        EXIT_CODES.inUse,
      );
    }
    throw new StartError(`The data folder ${path} can't be written: ${getReason(error)}`);
  }
  const acquired = lock;
  return {
    path,
    release: () => {
      rmSync(pidFile, { force: true });
      acquired.close();
    },
  };
}

/**
 * Locks a data folder for a command that works while the server runs. The lock is shared with other commands, or
 * `exclusive` for a restore. It is separate from the server's lock, of the same kind.
 *
 * @returns releases the lock
 */
export function acquireCommandLock(
  engine: SqliteEngine,
  path: string,
  { exclusive = false } = {},
): () => void {
  const lock = engine.open(join(path, 'sims.beside.lock'));
  try {
    lock.exec(
      `pragma busy_timeout = 1000; ${exclusive ? 'begin exclusive' : 'begin; select 1 from sqlite_schema'}`,
    );
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(getReason(error))) throw error;
    throw new StartError(
      exclusive
        ? `The data folder ${path} is in use by a SIMS command. Wait until that has ended; nothing was changed.`
        : `A backup is being restored into the data folder ${path}. Wait until that has ended.`,
    );
  }
  return () => lock.close();
}

/** The restored database before it is renamed to its final name, the last step of a restore. */
export const RESTORE_IN_PROGRESS_FILE = 'sims.db.restoring';

/** During a restore the old database may be moved away and the new one not yet in place: no program may create an empty one. */
export function rejectInterruptedRestore(path: string): void {
  if (!existsSync(join(path, RESTORE_IN_PROGRESS_FILE))) return;
  throw new StartError(
    `A restore into the data folder ${path} was interrupted. Run it again: ${SIMS_COMMAND} restore <file> --force`,
  );
}

/** Creates a folder and its parents. Node's `recursive` option never returns if a parent rejects new folders, as /proc does. */
function createFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function readHolder(pidFile: string): string {
  try {
    return `pid ${readFileSync(pidFile, 'utf8').trim()}`;
  } catch {
    return 'an unknown process';
  }
}
