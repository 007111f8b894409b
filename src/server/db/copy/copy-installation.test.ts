import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { test as base, describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app.ts';
import { type Engine, engines, type TestDatabase } from '../../../../tests/support/engines.ts';
import { anInstallation, type Installation } from '../../../../tests/support/installation.ts';
import { aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { StartError } from '../../start-error.ts';
import { isOutOfReach } from '../dialect.ts';
import { catalogueOf, lastNumber } from '../dialect-tables.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { type CopyOptions, copyInstallation, openToFill } from './copy-installation.ts';
import { readPlace } from './place.ts';
import { COPIED_TABLES, LEFT_OUT, tablesOf } from './tables.ts';

type Settings = Partial<Omit<CopyOptions, 'from' | 'to'>>;

const copy = (from: { place: string }, to: { place: string }, settings: Settings = {}) =>
  copyInstallation({
    from: readPlace('--from', from.place),
    to: readPlace('--to', to.place),
    rows: 100,
    restart: false,
    tell: () => {},
    ...settings,
  });

/** Why a copy is refused; fails where it is not. */
async function refusal(...args: Parameters<typeof copy>): Promise<string> {
  try {
    await copy(...args);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The copy was not refused.');
}

/** Copies, but breaks off at this line of what is told; false when it was done before. */
async function isBrokenOff(from: TestDatabase, to: TestDatabase, line: number): Promise<boolean> {
  let told = 0;
  const tell = () => {
    told += 1;
    if (told === line) throw new Error('broken off');
  };
  try {
    const compared = await copy(from, to, { tell });
    expect(compared.filter(({ isSame }) => !isSame)).toEqual([]);
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.message === 'broken off')) throw error;
    return true;
  }
}

async function inside<Result>(
  database: TestDatabase,
  act: (db: Awaited<ReturnType<TestDatabase['open']>>) => Promise<Result>,
): Promise<Result> {
  const db = await database.open();
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}

interface Fixtures {
  house: Installation;
  /** Makes an empty database, which is removed afterwards. */
  prepare: (engine: Engine) => Promise<TestDatabase>;
}

const [sqlite, postgres] = engines as readonly [Engine, Engine];

const testsFrom = (engine: Engine) =>
  base.extend<Fixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    house: async ({}, use) => {
      const house = await anInstallation(engine);
      await use(house);
      await house.database.remove();
    },
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    prepare: async ({}, use) => {
      const made: TestDatabase[] = [];
      await use(async (other) => {
        const database = await other.prepare();
        made.push(database);
        return database;
      });
      for (const database of made) await database.remove();
    },
  });

const ways = [
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
].map((way) => {
  const test = testsFrom(way.from);
  return { ...way, test: postgres.isMissing ? test.skip : test };
});

const tablesIn = (rows: readonly { table: string }[]) => [...new Set(rows.map(({ table }) => table))];

describe.each(ways)('moving house, $name', ({ test, from, to }) => {
  test('knows every table and every number that the engine gives out', async ({ prepare }) => {
    await inside(await prepare(from), async ({ read }) => {
      const catalogue = await catalogueOf(read);
      expect(tablesIn(catalogue).toSorted()).toEqual([...COPIED_TABLES, ...Object.keys(LEFT_OUT)].toSorted());
      const numbered = (await tablesOf(read)).filter((table) => table.numbered !== undefined);
      expect(numbered.map(({ name, numbered: column }) => `${name}.${column}`).toSorted()).toEqual([
        ...['bulk_changes.id', 'history.id', 'saved_views.id', 'semesters.academic_id', 'users.id'],
      ]);
      const keys = catalogue.filter(({ table }) => COPIED_TABLES.includes(table));
      for (const { name, key } of await tablesOf(read)) {
        const own = keys.filter(({ table }) => table === name).map(({ column }) => column);
        expect(own).toEqual(expect.arrayContaining([...key]));
      }
    });
  });

  test('brings everything, and the application goes on there; the way back brings the same', async ({
    house: { database, admin, deleted, portrait, course },
    prepare,
  }) => {
    const there = await prepare(to);
    const moved = await copy(database, there);
    expect(moved.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(moved.filter(({ there: { rows } }) => rows === 0).map(({ table }) => table)).toEqual([]);
    const back = await prepare(from);
    expect(await copy(there, back)).toEqual(moved);
    const indexes = (db: TestDatabase) =>
      inside(db, async ({ read }) => {
        const { rows } =
          from === sqlite
            ? await sql`select name, tbl_name from sqlite_schema where type <> 'table' order by 1`.execute(
                read,
              )
            : await sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(read);
        return rows;
      });
    expect(await indexes(back)).toEqual(await indexes(database));

    const numbers = await inside(database, async ({ read }) => ({
      results: await lastNumber(read, 'semesters', 'academic_id'),
      entry: await lastNumber(read, 'history', 'id'),
    }));
    const app = await TestApp.open(to, { database: there });
    try {
      expect((await app.call('GET', '/api/students', { token: admin.token })).status).toBe(401);
      const again = await app.signIn(admin);
      expect((await again.get('/api/students')).body).toMatchObject({ total: 41, total_is: 'exact' });
      expect((await again.get(portrait)).status).toBe(200);
      expect((await again.get('/api/views')).body).toMatchObject([{ name: 'Low' }]);

      expect((await again.post('/api/students', aStudent({ id: 'NEW' }))).status).toBe(201);
      expect((await again.post('/api/students/family', aFamily('NEW'))).status).toBe(201);
      const results = aSemester('NEW', 1, [{ title: 'Drawing', credits: 2, grade: 'A' }]);
      expect((await again.post('/api/students/academics', results)).status).toBe(201);
      const { academics } = (await again.get('/api/students/NEW')).body as { academics: object[] };
      // The last ones of the old house went with the deleted student, and are brought back under their own.
      expect(academics).toMatchObject([{ academic_id: numbers.results + 1 }]);
      expect((await again.post(`/api/students/${deleted}/restore`)).status).toBe(201);
      expect((await again.get(`/api/students/${deleted}`)).body).toMatchObject({ student: { id: deleted } });
      const marks = { course_id: course, marks: '8,9', mode: 'append' };
      expect((await again.post('/api/courses-marks', marks)).body).toMatchObject({
        course: { marks_count: 6 },
      });
      const other = await app.register();
      expect(other.user.id).toBe(admin.user.id + 1);
      const first = await app.db.read
        .selectFrom('history')
        .select((eb) => eb.fn.min('id').as('id'))
        .where('entity_id', '=', 'NEW')
        .executeTakeFirstOrThrow();
      expect(first.id).toBe(numbers.entry + 1);
      await expect(app.db.write.deleteFrom('history').execute()).rejects.toThrow('append-only');
    } finally {
      await app.close();
    }
  });

  test('broken off again and again, it gets there; until then nothing starts on the copy', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    let tries = 0;
    // Two tables more at each try, then the indexes, then the comparison.
    for (; tries < 50 && (await isBrokenOff(database, there, 3)); tries += 1) {
      await expect(there.open()).rejects.toThrow(/unfinished copy of .+: finish it/);
    }
    expect(tries).toBeGreaterThan(9);
    expect(await refusal(database, there)).toContain('already holds records');
    await inside(there, async ({ read }) => {
      expect(await read.selectFrom('students').select('id').execute()).toHaveLength(41);
    });
  });

  test('a server that drops the connection breaks the copy off, no more', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    const { place } = from === postgres ? database : there;
    const admin = new pg.Client({ connectionString: place });
    await admin.connect();
    let dropped: Promise<unknown> | undefined;
    const tell = () => {
      dropped ??= admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };
    const fault = await copy(database, there, { tell, rows: 1 }).catch((error: unknown) => error);
    await dropped;
    await admin.end();
    expect(isOutOfReach(fault), String(fault)).toBe(true);
    const compared = await copy(database, there);
    expect(compared.filter(({ isSame }) => !isSame)).toEqual([]);
  });

  test('an unfinished copy is gone on with from the same records only, or begun anew', async ({
    house: { database },
    prepare,
  }) => {
    const there = await prepare(to);
    expect(await isBrokenOff(database, there, 12)).toBe(true);
    const other = await prepare(from);
    await inside(other, async () => {});
    expect(await refusal(other, there)).toContain('unfinished copy of something else');

    const app = await TestApp.open(from, { database });
    await app.register();
    await app.close();
    expect(await refusal(database, there)).toContain('has changed since this copy of it was begun');
    const compared = await copy(database, there, { restart: true });
    expect(compared.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(await refusal(database, there, { restart: true })).toContain('already holds records');
  });

  test('a copy that came out different stays unfinished', async ({ house: { database }, prepare }) => {
    const there = await prepare(to);
    expect(await isBrokenOff(database, there, 12)).toBe(true);
    expect(await refusal(there, await prepare(from))).toContain('unfinished copy');
    const open = await openToFill(readPlace('--to', there.place));
    // As no program of ours would: behind the copy's back, in what it has already copied.
    const meddle = sql`update courses set course_name = course_name || '!' where course_id =
      (select min(course_id) from courses)`;
    await meddle.execute(open.write);
    await open.close();
    const compared = await copy(database, there);
    expect(compared.filter(({ isSame }) => !isSame).map(({ table }) => table)).toEqual(['courses']);
    await expect(there.open()).rejects.toThrow('unfinished copy');
    const anew = await copy(database, there, { restart: true });
    expect(anew.filter(({ isSame }) => !isSame)).toEqual([]);
    await inside(there, async () => {});
  });

  test('is refused, and nothing changed, where it could not go well', async ({
    house: { database },
    prepare,
  }) => {
    const inUse = await prepare(to);
    const app = await TestApp.open(to, { database: inUse });
    const admin = await app.register();
    if (to === sqlite) expect(await refusal(database, inUse)).toMatch(/in use by another SIMS process/);
    await app.close();
    expect(await refusal(database, inUse)).toMatch(/already holds records \(users\).+nothing was changed/);
    await inside(inUse, async ({ read }) => {
      const users = await read.selectFrom('users').select('email').execute();
      expect(users).toEqual([{ email: admin.user.email }]);
    });

    expect(await refusal(database, database)).toMatch(/can't be copied to itself/);
    const there = await prepare(to);
    if (from === postgres) {
      const alias = { place: database.place.replace('127.0.0.1', 'localhost') };
      expect(await refusal(database, alias)).toMatch(/same database/);
      const secret = { place: database.place.replace('//sims@', '//nobody:geheim@') };
      expect(await refusal(secret, there)).not.toContain('geheim');
      const nowhere = { place: 'postgres://sims:geheim@127.0.0.1:1/none' };
      expect(await refusal(nowhere, there)).toMatch(/^(?!.*geheim).*can't be used/);
      expect(await refusal(await prepare(postgres), there)).toMatch(/holds no SIMS records/);
    } else {
      await inside(database, async () => {
        expect(await refusal(database, there)).toMatch(/in use by another SIMS process/);
      });
      const none = { place: `sqlite:${path.join(database.folder, 'none')}` };
      expect(await refusal(none, there)).toMatch(/There is no SIMS database/);
    }
    const last = { version: MIGRATIONS.length };
    await inside(database, ({ write }) =>
      write.deleteFrom('schema_versions').where('version', '=', last.version).execute(),
    );
    expect(await refusal(database, there)).toMatch(
      new RegExp(
        `schema version ${last.version - 1}, this program ${last.version}: start this SIMS on it once`,
      ),
    );
  });
});

describe('the embedded database that is copied', () => {
  const test = testsFrom(sqlite);

  test('stays as it is, and is read with what a killed server left in its log', async ({
    house,
    prepare,
  }) => {
    const file = path.join(house.database.folder, 'sims.db');
    const before = readFileSync(file);
    await copy(house.database, await prepare(sqlite));
    expect(readFileSync(file).equals(before)).toBe(true);

    const left = mkdtempSync(path.join(tmpdir(), 'sims-left-'));
    try {
      await inside(house.database, async ({ write }) => {
        await write
          .updateTable('students')
          .set({ reason: 'in the log' })
          .where('reason', 'is', null)
          .execute();
        for (const name of ['sims.db', 'sims.db-wal']) {
          cpSync(path.join(house.database.folder, name), path.join(left, name));
        }
      });
      const there = await prepare(sqlite);
      await copy({ place: `sqlite:${left}` }, there);
      await inside(there, async ({ read }) => {
        const found = await read.selectFrom('students').select('id').where('reason', 'is', null).execute();
        expect(found).toEqual([]);
      });
    } finally {
      rmSync(left, { recursive: true });
    }
  });
});

base.for([
  undefined,
  '',
  'sqlite:',
  './data',
  'mysql://u:geheim@host/db',
  'postgres://u:geheim@host',
  'postgres:',
])('a place such as %s is refused without repeating it', (text) => {
  expect(() => readPlace('--from', text)).toThrow(/^--from must be sqlite:<data folder> or postgres:/);
  expect(() => readPlace('--from', text)).not.toThrow('geheim');
});
