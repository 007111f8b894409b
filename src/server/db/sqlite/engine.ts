import process from 'node:process';
import { StartError } from '../../start-error.ts';

/** The calls of the SQLite engine that SIMS uses; `node:sqlite` and `@photostructure/sqlite` both have them. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[];
  run(...parameters: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  columns(): readonly unknown[];
}

export interface SqliteDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteEngine {
  open(file: string, options?: { readOnly?: boolean }): SqliteDatabase;
}

/** 3.51.3 fixes a corruption of write-ahead logs shared by two connections (introduced in 3.7.0). */
const MIN_VERSION = [3, 51, 3] as const;

function isRecent(version: string | undefined): boolean {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  for (const [i, least] of MIN_VERSION.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/**
 * Makes a checkpoint reach the disk itself on macOS, where a plain sync leaves it in the disk's cache while the log is emptied.
 * It has no effect elsewhere.
 */
export const FLUSH_CHECKPOINTS = 'pragma checkpoint_fullfsync = on';

/**
 * Whether Node's own SQLite is used: where it is recent enough. Else it is a package with the same interface and its own binary.
 *
 * @throws StartError on Windows, where files that the package has closed can't be renamed or removed: no backup would succeed
 */
export function usesNodeSqlite(version: string | undefined, platform: NodeJS.Platform): boolean {
  if (isRecent(version)) return true;
  if (platform !== 'win32') return false;
  throw new StartError(
    `On Windows SIMS needs Node.js 22.22.3 or later of version 22, or 24.16 or later: the SQLite of this one, ${process.version}, is too old.`,
  );
}

/** Loads the engine that {@link usesNodeSqlite} chooses. */
export async function loadSqliteEngine(): Promise<SqliteEngine> {
  const { DatabaseSync } = usesNodeSqlite(process.versions.sqlite, process.platform)
    ? await importNodeSqlite()
    : await import('@photostructure/sqlite');
  return {
    open: (file, options) => {
      try {
        return new DatabaseSync(file, { readOnly: options?.readOnly ?? false });
      } catch (error) {
        // The engine's message does not name the file.
        if (error instanceof Error) error.message = `${file}: ${error.message}`;
        throw error;
      }
    },
  };
}

let nodeSqlite: Promise<typeof import('node:sqlite')> | undefined;

/** Suppresses Node's warning on standard error that its SQLite is experimental. */
function importNodeSqlite(): Promise<typeof import('node:sqlite')> {
  if (nodeSqlite !== undefined) return nodeSqlite;
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  nodeSqlite = import('node:sqlite').finally(() => {
    process.emitWarning = emitWarning;
  });
  return nodeSqlite;
}
