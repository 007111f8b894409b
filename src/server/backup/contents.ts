import { z } from 'zod';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { loadSqliteEngine, type SqliteDatabase } from '../db/sqlite-engine.ts';
import { StartError } from '../start-error.ts';

/** What a database file holds. */
export interface Contents {
  /** Of its schema. */
  version: number;
  students: number;
  courses: number;
  users: number;
  /** Entries of the history. */
  entries: number;
}

const COUNTED = { students: 'students', courses: 'courses', users: 'users', entries: 'history' } as const;

/**
 * Opens a database file that no program uses, and looks at all of it: that it is whole, that it is one of SIMS and no
 * newer than this program, and that nothing in it refers to what is not there.
 *
 * @throws StartError with what is wrong, in a line that begins with the file's `name`
 */
export async function contentsOf(file: string, name: string): Promise<Contents> {
  const engine = await loadSqliteEngine();
  const wrong = (what: string) => new StartError(`${name} ${what}`);
  let database: SqliteDatabase | undefined;
  try {
    database = engine.open(file, { readOnly: true });
    const tables = valuesOf(database, `select name from sqlite_schema where type = 'table'`);
    if (!['schema_versions', ...Object.values(COUNTED)].every((table) => tables.includes(table))) {
      throw wrong('holds no SIMS records.');
    }
    if (tables.includes('unfinished_copy')) throw wrong('is an unfinished copy of a database.');
    const version = numberOf(database, 'select max(version) from schema_versions');
    if (version > MIGRATIONS.length) {
      throw wrong(
        `has schema version ${version}, but this program knows only ${MIGRATIONS.length}: use a newer SIMS.`,
      );
    }
    const faults = valuesOf(database, 'pragma integrity_check(1)').filter((text) => text !== 'ok');
    if (faults.length > 0) throw wrong(`is damaged (${String(faults[0])}).`);
    const loose = valuesOf(database, 'pragma foreign_key_check');
    if (loose.length > 0) throw wrong(`is damaged (${String(loose[0])} refers to what is not there).`);
    const counted = Object.entries(COUNTED).map(([what, table]) => [
      what,
      numberOf(database, `select count(*) from ${table}`),
    ]);
    return contents.parse({ version, ...Object.fromEntries(counted) });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw wrong(`is damaged or not a database (${error instanceof Error ? error.message : String(error)}).`);
  } finally {
    database?.close();
  }
}

const contents = z.object({
  version: z.int(),
  students: z.int(),
  courses: z.int(),
  users: z.int(),
  entries: z.int(),
});

/** The first value of each row. */
const valuesOf = (database: SqliteDatabase, query: string): unknown[] =>
  database
    .prepare(query)
    .all()
    .map((row) => Object.values(row ?? {})[0]);

const numberOf = (database: SqliteDatabase | undefined, query: string): number =>
  z.number().parse(database === undefined ? undefined : valuesOf(database, query)[0]);

/** The same in words. */
export const told = ({ students, courses, users, entries }: Contents): string =>
  [
    [students, 'students'],
    [courses, 'courses'],
    [users, 'accounts'],
    [entries, 'entries of the history'],
  ]
    .map(([n, what]) => `${n?.toLocaleString('en')} ${what}`)
    .join(', ');
