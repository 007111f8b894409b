import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, SIMS, StartError } from '../start-error.ts';
import type { SqliteEngine } from './sqlite-engine.ts';

export interface DataFolder {
  path: string;
  release(): void;
}

/**
 * Takes a data folder for this process alone.
 *
 * The lock is an exclusive transaction on a small database of its own: the operating system drops it with the
 * process, however that ends, so that no stale lock can keep a later start out. The file `sims.pid` beside it only
 * tells people who holds it.
 */
export function takeDataFolder(engine: SqliteEngine, path: string): DataFolder {
  const pidFile = join(path, 'sims.pid');
  try {
    makeFolder(path);
  } catch (error) {
    throw new StartError(`The data folder ${path} can't be made: ${reason(error)}`);
  }
  let lock: ReturnType<SqliteEngine['open']> | undefined;
  try {
    lock = engine.open(join(path, 'sims.lock'));
    lock.exec('pragma busy_timeout = 0; begin exclusive');
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(reason(error))) {
      throw new StartError(
        `The data folder ${path} is in use by ${holder(pidFile)}, another SIMS process. Stop that one first, or set SIMS_DATA_DIR.`,
        EXIT.inUse,
      );
    }
    throw new StartError(`The data folder ${path} can't be written: ${reason(error)}`);
  }
  const held = lock;
  return {
    path,
    release: () => {
      rmSync(pidFile, { force: true });
      held.close();
    },
  };
}

/**
 * Holds a data folder for a command that works beside the server, together with others; or `alone`, for who replaces what
 * is in it. The lock is one of the same kind as the server's, in a database of its own.
 *
 * @returns lets go
 */
export function holdBeside(engine: SqliteEngine, path: string, { alone = false } = {}): () => void {
  const lock = engine.open(join(path, 'sims.beside.lock'));
  try {
    lock.exec(
      `pragma busy_timeout = 1000; ${alone ? 'begin exclusive' : 'begin; select 1 from sqlite_schema'}`,
    );
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(reason(error))) throw error;
    throw new StartError(
      alone
        ? `The data folder ${path} is in use by a SIMS command. Wait until that has ended; nothing was changed.`
        : `A backup is being restored into the data folder ${path}. Wait until that has ended.`,
    );
  }
  return () => lock.close();
}

/** What a restore puts into a data folder and, when all else is done, gives the database's name. */
export const RESTORING = 'sims.db.restoring';

/** What was there may be out of the way and what is to come not in its place: no program may begin an empty one then. */
export function refuseHalfRestored(path: string): void {
  if (!existsSync(join(path, RESTORING))) return;
  throw new StartError(
    `A restore into the data folder ${path} was broken off. Run it again: ${SIMS} restore <file> --force`,
  );
}

/** With the folders above it. Node's own way of that tries for ever where a parent takes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Made by somebody else meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

function holder(pidFile: string): string {
  try {
    return `pid ${readFileSync(pidFile, 'utf8').trim()}`;
  } catch {
    return 'a process that has not said its pid';
  }
}
