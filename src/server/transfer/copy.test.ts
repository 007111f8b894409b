import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { sqlite, type TestDatabase } from '../../../tests/support/database/engines.ts';
import { commitUnlinked } from '../../../tests/support/database/pending-entries.ts';
import {
  copy,
  differingTables,
  directions,
  testsFrom,
  withDatabase,
} from '../../../tests/support/processes/transfer.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { lastGeneratedId, readCatalogue } from '../db/dialect/catalogue.ts';
import { COPIED_TABLES, listTables, UNCOPIED_TABLES } from '../db/tables.ts';
import { linkPending } from '../history/links.ts';
import { transact } from '../history/transaction.ts';
import { readHead, verifyChain } from '../history/verify-chain.ts';
import { SEEDER } from '../seed/seed-faculty.ts';
import { changeId } from '../students/change-id/change-id.ts';
import { createStudent } from '../students/write-student.ts';

const tablesIn = (rows: readonly { table: string }[]) => [...new Set(rows.map(({ table }) => table))];

describe.each(directions)('copying a database, $name', ({ test, from, to }) => {
  test('covers every table and every generated id', async ({ prepare }) => {
    await withDatabase(await prepare(from), async ({ read }) => {
      const catalogue = await readCatalogue(read);
      expect(tablesIn(catalogue).toSorted()).toEqual(
        [...COPIED_TABLES, ...Object.keys(UNCOPIED_TABLES)].toSorted(),
      );
      const numbered = (await listTables(read)).filter((table) => table.numbered !== undefined);
      expect(numbered.map(({ name, numbered: column }) => `${name}.${column}`).toSorted()).toEqual([
        ...[
          'bulk_changes.id',
          'document_batches.batch_id',
          'equivalents.equivalent_id',
          'history.id',
          'holds.hold_id',
        ],
        ...['imports.id', 'openings.opening_id', 'outside_credits.outside_id'],
        ...['result_notifications.number', 'saved_views.id'],
        ...[
          'scheme_exceptions.exception_id',
          'schemes.scheme_id',
          'semesters.academic_id',
          'sheet_registrations.registration_id',
          'sheets.sheet_id',
        ],
        ...['terms.term_id', 'users.id'],
      ]);
      const keys = catalogue.filter(({ table }) => COPIED_TABLES.includes(table));
      for (const { name, key } of await listTables(read)) {
        const own = keys.filter(({ table }) => table === name).map(({ column }) => column);
        expect(own).toEqual(expect.arrayContaining([...key]));
      }
    });
  });

  test('copies everything, so that the application continues there, and copies the same back', async ({
    house: { database, admin, deleted, portrait, course },
    prepare,
  }) => {
    await withDatabase(database, ({ write }) =>
      transact(write, async (tx) => {
        const { id } = await tx.selectFrom('students').select('id').orderBy('id').executeTakeFirstOrThrow();
        await changeId(tx, { id: null, name: 'Test' }, { id, newId: 'MOVED' }, undefined);
      }),
    );
    const destination = await prepare(to);
    const compared = await copy(database, destination);
    expect(differingTables(compared)).toEqual([]);
    expect(compared.filter(({ there: { rows } }) => rows === 0).map(({ table }) => table)).toEqual([
      'history_pending',
    ]);
    const back = await prepare(from);
    expect(await copy(destination, back)).toEqual(compared);
    const indexes = (db: TestDatabase) =>
      withDatabase(db, async ({ read }) => {
        const { rows } =
          from === sqlite
            ? await sql`select name, tbl_name from sqlite_schema where type <> 'table' order by 1`.execute(
                read,
              )
            : await sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(read);
        return rows;
      });
    expect(await indexes(back)).toEqual(await indexes(database));

    const numbers = await withDatabase(database, async ({ read }) => ({
      results: await lastGeneratedId(read, 'semesters', 'academic_id'),
      entry: await lastGeneratedId(read, 'history', 'id'),
      head: await readHead(read),
    }));
    const app = await TestApp.open(to, { database: destination });
    try {
      expect((await app.call('GET', '/api/students', { token: admin.token })).status).toBe(401);
      const signedIn = await app.signIn(admin);
      expect((await signedIn.get('/api/students')).body).toMatchObject({ total: 43, total_is: 'exact' });
      expect((await signedIn.get(portrait)).status).toBe(200);
      expect((await signedIn.get('/api/views')).body).toMatchObject([{ name: 'Low' }]);

      expect((await signedIn.post('/api/students', aStudent({ id: 'NEW' }))).status).toBe(201);
      expect((await signedIn.post('/api/students/family', aFamily('NEW'))).status).toBe(201);
      const results = aSemester('NEW', 1, [{ title: 'Drawing', credits: 2, grade: 'A' }]);
      expect((await signedIn.post('/api/students/academics', results)).status).toBe(201);
      const { academics } = (await signedIn.get('/api/students/NEW')).body as { academics: object[] };
      // The ids of the deleted student's semesters are not reused: restoring the student needs them.
      expect(academics).toMatchObject([{ academic_id: numbers.results + 1 }]);
      expect((await signedIn.post(`/api/students/${deleted}/restore`)).status).toBe(201);
      expect((await signedIn.get(`/api/students/${deleted}`)).body).toMatchObject({
        student: { id: deleted },
      });
      const marks = { course_id: course, marks: '8,9', mode: 'append' };
      expect((await signedIn.post('/api/courses-marks', marks)).body).toMatchObject({
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
      await linkPending(app.db.write);
      const { head, fault } = await verifyChain(app.db.read, numbers.head);
      expect(fault).toBeUndefined();
      expect(head.number).toBeGreaterThan(numbers.head.number);
    } finally {
      await app.close();
    }
  });
});

describe.each(directions)('the copy of a database, $name', ({ test, to }) => {
  test('has every entry of the history in its chain, even if its source has not yet', async ({
    house: { database },
    prepare,
  }) => {
    const noted = await withDatabase(database, async ({ write, read }) => {
      await commitUnlinked(write, (tx) => createStudent(tx, SEEDER, aStudent()));
      return readHead(read);
    });
    const destination = await prepare(to);
    expect(differingTables(await copy(database, destination))).toEqual([]);
    await withDatabase(destination, async ({ read }) => {
      const { fault, ...verified } = await verifyChain(read, noted);
      expect(fault).toBeUndefined();
      expect(verified).toMatchObject({ pending: 0, head: { number: noted.number + 1 } });
    });
  });
});

describe('an embedded database that is copied', () => {
  const test = testsFrom(sqlite);

  test('stays unchanged, and is read including the log that a killed server left', async ({
    house,
    prepare,
  }) => {
    const file = path.join(house.database.folder, 'sims.db');
    const before = readFileSync(file);
    await copy(house.database, await prepare(sqlite));
    expect(readFileSync(file).equals(before)).toBe(true);

    const left = mkdtempSync(path.join(tmpdir(), 'sims-left-'));
    try {
      await withDatabase(house.database, async ({ write }) => {
        await write
          .updateTable('students')
          .set({ reason: 'in the log' })
          .where('reason', 'is', null)
          .execute();
        for (const name of ['sims.db', 'sims.db-wal']) {
          cpSync(path.join(house.database.folder, name), path.join(left, name));
        }
      });
      const destination = await prepare(sqlite);
      await copy({ location: `sqlite:${left}` }, destination);
      await withDatabase(destination, async ({ read }) => {
        const found = await read.selectFrom('students').select('id').where('reason', 'is', null).execute();
        expect(found).toEqual([]);
      });
    } finally {
      rmSync(left, { recursive: true });
    }
  });
});
