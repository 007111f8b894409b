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

/** Loads Node's own SQLite where it is recent enough, else a package with the same interface and its own binary. */
export async function loadSqliteEngine(): Promise<SqliteEngine> {
  const { DatabaseSync } = isRecent(process.versions.sqlite)
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
