/** The few calls of the embedded engine that the product makes; `node:sqlite` and `@photostructure/sqlite` both have them. */
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

/** 3.51.3 mends a corruption of write-ahead logs shared by two connections (introduced in 3.7.0). */
const LEAST_VERSION = [3, 51, 3] as const;

function isRecent(version: string | undefined): boolean {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  for (const [i, least] of LEAST_VERSION.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Node's own SQLite where it is recent enough, else the same interface from a package that carries its binary. */
export async function loadSqliteEngine(): Promise<SqliteEngine> {
  const { DatabaseSync } = isRecent(process.versions.sqlite)
    ? await import('node:sqlite')
    : await import('@photostructure/sqlite');
  return {
    open: (file, options) => new DatabaseSync(file, { readOnly: options?.readOnly ?? false }),
  };
}
