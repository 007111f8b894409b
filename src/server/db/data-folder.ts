import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
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
    mkdirSync(path, { recursive: true, mode: 0o700 });
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
        `The data folder ${path} is in use by ${holder(pidFile)}. Stop that one first, or set SIMS_DATA_DIR.`,
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

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

function holder(pidFile: string): string {
  try {
    return `another SIMS process (pid ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return 'another SIMS process';
  }
}
