import { z } from 'zod';
import { formatCount } from '../../domain/format-count.ts';
import { requireKnownMigrations } from '../db/migrate.ts';
import { createReader } from '../db/sqlite/driver.ts';
import { loadSqliteEngine, type SqliteDatabase } from '../db/sqlite/engine.ts';
import { findSealingKeys } from '../secrets/stored-secrets.ts';
import { StartError } from '../start-error.ts';

/** Number of records in a database file. */
export interface BackupContents {
  /** Schema version. */
  version: number;
  students: number;
  courses: number;
  users: number;
  /** History entries. */
  entries: number;
  /** The ids of the keys that encrypt keys in it. */
  sealedBy: string[];
}

const COUNTED = { students: 'students', courses: 'courses', users: 'users', entries: 'history' } as const;

/**
 * Opens a database file that no program uses and checks all of it: storage, foreign keys, and that it belongs to SIMS and is
 * not newer than this program.
 *
 * @throws StartError in one line that begins with `name`
 */
export async function readContents(file: string, name: string): Promise<BackupContents> {
  const engine = await loadSqliteEngine();
  const fault = (what: string) => new StartError(`${name} ${what}`);
  let database: SqliteDatabase | undefined;
  try {
    database = engine.open(file, { readOnly: true });
    const tables = readValues(database, `select name from sqlite_schema where type = 'table'`);
    if (!['schema_versions', ...Object.values(COUNTED)].every((table) => tables.includes(table))) {
      throw fault('holds no SIMS records.');
    }
    if (tables.includes('unfinished_copy')) throw fault('is an unfinished copy of a database.');
    const applied = migrations.parse(
      database.prepare('select version, name from schema_versions order by version').all(),
    );
    requireKnownMigrations(applied, name);
    const version = applied.length;
    const faults = readValues(database, 'pragma integrity_check(1)').filter((text) => text !== 'ok');
    if (faults.length > 0) throw fault(`is damaged (${String(faults[0])}).`);
    const dangling = readValues(database, 'pragma foreign_key_check');
    if (dangling.length > 0)
      throw fault(`is damaged (${String(dangling[0])} has a reference to a missing row).`);
    const counted = Object.entries(COUNTED).map(([what, table]) => [
      what,
      readNumber(database, `select count(*) from ${table}`),
    ]);
    const sealedBy = await findSealingKeys(createReader(database));
    return contents.parse({ version, ...Object.fromEntries(counted), sealedBy });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw fault(`is damaged or not a database (${error instanceof Error ? error.message : String(error)}).`);
  } finally {
    database?.close();
  }
}

const migrations = z.array(z.object({ version: z.int(), name: z.string() }));

const contents = z.object({
  version: z.int(),
  students: z.int(),
  courses: z.int(),
  users: z.int(),
  entries: z.int(),
  sealedBy: z.array(z.string()),
});

/** The first value of each row. */
const readValues = (database: SqliteDatabase, query: string): unknown[] =>
  database
    .prepare(query)
    .all()
    .map((row) => Object.values(row ?? {})[0]);

const readNumber = (database: SqliteDatabase | undefined, query: string): number =>
  z.number().parse(database === undefined ? undefined : readValues(database, query)[0]);

/** The same as text for people. */
export const summarizeContents = ({ students, courses, users, entries }: BackupContents): string =>
  (
    [
      [students, 'students'],
      [courses, 'courses'],
      [users, 'accounts'],
      [entries, 'history entries'],
    ] as const
  )
    .map(([count, what]) => `${formatCount(count)} ${what}`)
    .join(', ');
