import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { EXIT, StartError } from '../start-error.ts';
import type { SqliteDatabase, SqliteEngine } from './sqlite-engine.ts';

/** That a file is not to be written to: it, or what it should hold, is not what it was. */
export const damaged = (file: string, reason: string) =>
  new StartError(
    `The database ${file} is damaged or not a database (${reason}). Nothing was changed; restore a backup.`,
    EXIT.damaged,
  );

export const isDamage = (reason: string) => /malformed|corrupt|not a database/i.test(reason);

/**
 * Makes an empty database where there is none. It gets its name when it is on the disk as one, so that an empty file of that name
 * is never a beginning, always what is left of records.
 */
export function createFile(engine: SqliteEngine, file: string): void {
  if (existsSync(file)) return;
  if (sizeOf(`${file}-wal`) > 0) throw damaged(file, `it is gone, and its log ${file}-wal is there`);
  const beginning = `${file}.new`;
  rmSync(beginning, { force: true });
  const database = engine.open(beginning);
  database.exec('pragma journal_mode = wal');
  database.close();
  renameSync(beginning, file);
}

/** Before the engine opens it, which would take an empty file for a new database. */
export function refuseEmpty(file: string): void {
  if (sizeOf(file) === 0) throw damaged(file, 'it is empty');
}

/**
 * Looks at what tells in no time: the header, whether the file is as long as that says, the schema, and the way to the first
 * row of every table. A full check reads all of the file, minutes on a large one; that is not for every start.
 *
 * @throws what the engine says of damage
 */
export function checkFile(database: SqliteDatabase): void {
  const tables = database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .all();
  for (const table of tables) {
    const [name] = Object.values(table ?? {});
    database.prepare(`select * from "${String(name).replaceAll('"', '""')}" limit 1`).all();
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
