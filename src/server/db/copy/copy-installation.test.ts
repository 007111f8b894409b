import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app.ts';
import { sqlite, type TestDatabase } from '../../../../tests/support/engines.ts';
import { copy, differing, inside, testsFrom, ways } from '../../../../tests/support/moving.ts';
import { aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { headOf, verifyChain } from '../../history/verify-chain.ts';
import { catalogueOf, lastNumber } from '../dialect-tables.ts';
import { COPIED_TABLES, LEFT_OUT, tablesOf } from './tables.ts';

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
    expect(differing(moved)).toEqual([]);
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
      head: await headOf(read),
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
      const { head, fault } = await verifyChain(app.db.read, numbers.head);
      expect(fault).toBeUndefined();
      expect(head.number).toBeGreaterThan(numbers.head.number);
    } finally {
      await app.close();
    }
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
