import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app/test-app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../../tests/support/database/engines.ts';
import { testsFrom, withDatabase } from '../../../../tests/support/processes/transfer.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import { naturalSortKey } from '../../../domain/search-text.ts';
import { EMPTY_TALLY } from '../../../domain/statistics.ts';
import { hashPassword } from '../../accounts/passwords/hash.ts';
import { openCopyTarget } from '../../transfer/copy.ts';
import { runChecks } from '../../verify/checks.ts';
import { BulkInserter } from '../bulk-insert.ts';
import { hasTable, readCatalogue } from '../dialect/catalogue.ts';
import { parseLocation } from '../location.ts';
import { migrate } from '../migrate.ts';
import type { Db } from '../schema.ts';
import { COPIED_TABLES, UNCOPIED_TABLES } from '../tables.ts';
import { MIGRATIONS, type Migration } from './index.ts';

const FIRST_VERSION = 1;
const versionBefore = (migration: string) => MIGRATIONS.findIndex(({ name }) => name.endsWith(migration));

/** Opens an empty database at a schema version. */
const openAtVersion = ({ place }: TestDatabase, version: number) =>
  openCopyTarget(parseLocation('--to', place), version);

const TABLES = [...COPIED_TABLES, ...Object.keys(UNCOPIED_TABLES)].filter(
  (table) => table !== 'schema_versions',
);

type Row = Record<string, unknown>;
/** Columns by table, tables in the order of their references. */
type Columns = ReadonlyMap<string, string[]>;

async function readColumns(db: Db): Promise<Columns> {
  const catalogue = await readCatalogue(db);
  const named = TABLES.map((table): [string, string[]] => [
    table,
    catalogue.filter((column) => column.table === table).map(({ column }) => column),
  ]);
  return new Map(named.filter(([, columns]) => columns.length > 0));
}

async function readRows(db: Db, table: string, columns: readonly string[]): Promise<Row[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  return (await sql<Row>`select ${list} from ${sql.table(table)}`.execute(db)).rows;
}

/** The rows of each table as sorted JSON, in these columns. */
async function readContents(db: Db, columns: Columns): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const [table, names] of columns) {
    contents[table] = (await readRows(db, table, names)).map((row) => JSON.stringify(row)).sort();
  }
  return contents;
}

/** Adds a row to each table that is not copied between databases and that the test installation leaves empty. */
async function fillUncopiedTables(db: Db): Promise<void> {
  const { user_id } = await db.selectFrom('users').select('id as user_id').executeTakeFirstOrThrow();
  const now = new Date().toISOString();
  const progress = { rows: 1, bytes: 10, total: 2, total_is: 'exact' as const };
  await db
    .insertInto('exports')
    .values({ id: 'export', user_id, is_over: 0, seen_at: now, ...progress })
    .execute();
  await db.insertInto('backup_schedule').values({ id: 1, begun_at: now, good_at: null }).execute();
  await db
    .insertInto('provider_sign_ins')
    .values({ browser_hash: 'a', state: 'b', nonce: 'c', verifier: 'd', expires_at: now })
    .execute();
}

const createTable = (name: string): Migration => ({
  name: `create-${name}`,
  up: async (tx) => {
    await tx.schema.createTable(name).addColumn('id', 'integer').execute();
  },
});

const failing: Migration = {
  name: 'failing',
  up: async (tx) => {
    await createTable('half_done').up(tx);
    throw new Error('the migration failed');
  },
};

describe.each([sqlite, postgres])('migrations, on $name', (engine) => {
  const test = engine.isMissing ? testsFrom(sqlite).skip : testsFrom(engine);

  test('update a database of the first schema to the newest version with every row', async ({
    house: { database },
    prepare,
  }) => {
    const target = await prepare(engine);
    const first = await openAtVersion(target, FIRST_VERSION);
    const columns = await readColumns(first.read);
    await withDatabase(database, async ({ read, write }) => {
      await fillUncopiedTables(write);
      for (const [table, names] of columns) {
        const rows = await readRows(read, table, names);
        expect(rows, table).not.toEqual([]);
        await first.write.transaction().execute(async (tx) => {
          const inserter = new BulkInserter<Row>(tx, table, names);
          for (const row of rows) inserter.add(row);
          await inserter.store();
        });
      }
    });
    const before = await readContents(first.read, columns);
    await first.close();
    const courses = await withDatabase(database, ({ read }) =>
      read.selectFrom('courses').select(['course_id', 'credits']).execute(),
    );

    await withDatabase(target, async ({ read, write }) => {
      expect(await readContents(read, columns)).toEqual(before);
      // The history of the test installation has credit hours, for which the first schema has no column.
      for (const { course_id, credits } of courses) {
        await write.updateTable('courses').set({ credits }).where('course_id', '=', course_id).execute();
      }
      const lines: string[] = [];
      await runChecks(read, (line) => lines.push(line));
      expect(lines.filter((line) => !line.endsWith(': in order'))).toEqual([]);
      const versions = await read
        .selectFrom('schema_versions')
        .select(['version', 'name'])
        .orderBy('version')
        .execute();
      expect(versions).toEqual(MIGRATIONS.map(({ name }, i) => ({ version: i + 1, name })));
    });
  });

  test('leave existing accounts verified and approved', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('account-guards'));
    const password = 'seven wet umbrellas';
    const account = { name: 'Sana Malik', email: 'Sana@x.example', email_key: 'sana@x.example' };
    const password_hash = await hashPassword(password);
    const created_at = new Date().toISOString();
    await older.write
      .insertInto('users')
      .values({ ...account, role: 'staff', password_hash, version: 1, created_at })
      .execute();
    await older.close();
    const app = await TestApp.open(engine, { database, settings: { registration: { kind: 'approval' } } });
    try {
      const rows = await app.db.read.selectFrom('users').select(['email', 'waiting_for']).execute();
      expect(rows).toEqual([{ email: account.email, waiting_for: null }]);
      const body = { email: account.email, password };
      expect((await app.call('POST', '/api/login', { body })).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  test('leave existing courses without credit hours, which can then be entered', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('course-credits'));
    const course = { course_id: 7, course_code: 'ME-211', course_name: 'Statics', course_description: null };
    const tally = JSON.stringify(EMPTY_TALLY);
    await older.write
      .insertInto('courses')
      .values({ ...course, tally, version: 1 })
      .execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const staff = await app.register();
      expect((await staff.get('/api/courses/7')).body).toMatchObject({
        course: { ...course, credits: null },
      });
      const changed = await staff.put('/api/courses/7', { ...course, credits: 4 });
      expect(changed.body).toMatchObject({ course: { credits: 4 } });
    } finally {
      await app.close();
    }
  });

  test('index students again, so that they are found by the end of a number and in either script', async ({
    prepare,
  }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('former-ids'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent({ id: '409318', first_name: 'علي' });
    const row = { ...student, fsc_marks: 90_000, matric_marks: 90_000, phone_number: '+92 300 1234567' };
    await older.write
      .insertInto('students')
      .values({ ...row, version: 1, id_key: naturalSortKey(row.id), search_text: ' 409318' })
      .execute();
    await older.write.insertInto('student_terms').values({ term: 'outdated', student_id: row.id }).execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const admin = await app.register();
      for (const q of ['علی', '0300 123', '4567', '318']) {
        const { body } = await admin.get(`/api/students?${new URLSearchParams({ q })}`);
        expect(body, q).toMatchObject({ students: [{ id: '409318' }] });
      }
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      expect(lines.filter((line) => line.startsWith('List of students'))).toEqual([
        'List of students: in order',
      ]);
    } finally {
      await app.close();
    }
  });

  test('run once each, in order', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      const migrations = [...MIGRATIONS, createTable('one'), createTable('two')];
      await migrate(write, { migrations });
      await migrate(write, { migrations });
      const rows = await write.selectFrom('schema_versions').select('name').orderBy('version').execute();
      expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    });
  });

  test('change nothing when one of them fails', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      const migrations = [...MIGRATIONS, createTable('one'), failing];
      await expect(migrate(write, { migrations })).rejects.toThrow('the migration failed');
      expect(await hasTable(write, 'one')).toBe(false);
      expect(await hasTable(write, 'half_done')).toBe(false);
      expect(await write.selectFrom('schema_versions').select('name').execute()).toHaveLength(
        MIGRATIONS.length,
      );
    });
  });

  test('reject a database of a newer program', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      await migrate(write, { migrations: [...MIGRATIONS, createTable('one')] });
      await expect(migrate(write)).rejects.toThrow(
        `The database has schema version ${MIGRATIONS.length + 1}, but this program knows only ${MIGRATIONS.length}`,
      );
    });
  });
});
