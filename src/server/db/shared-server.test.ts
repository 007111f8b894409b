import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres, type TestDatabase } from '../../../tests/support/engines.ts';
import { heldOpen } from '../../../tests/support/held-open.ts';
import { PostgresServer } from '../../../tests/support/postgres.ts';
import { aFamily, aStudent } from '../../../tests/support/records.ts';
import { createStudent } from '../students/write-student.ts';
import { holdTable, isOutOfReach } from './dialect.ts';
import type { Database, ServerOptions } from './open.ts';
import { openPostgres } from './postgres.ts';
import { isTooOld } from './postgres-server.ts';
import type { Tx } from './schema.ts';
import { transact } from './transact.ts';

interface Fixtures {
  database: TestDatabase;
  open: (options?: ServerOptions) => Promise<Database>;
}

const withDatabase = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  database: async ({}, use) => {
    const database = await postgres.prepare();
    await use(database);
    await database.remove();
  },
  open: async ({ database }, use) => {
    const opened: Database[] = [];
    await use(async (options) => {
      const db = await openPostgres(database.place, options);
      opened.push(db);
      return db;
    });
    for (const db of opened) await db.close();
  },
});

const test = postgres.isMissing ? withDatabase.skip : withDatabase;

describe('a transaction that others are in the way of', () => {
  test('is tried again when the server ends it to undo a deadlock', async ({ open }) => {
    const { write } = await open();
    let tries = 0;
    let resolve = () => {};
    const bothHoldOne = new Promise<void>((done) => {
      resolve = done;
    });
    let holding = 0;
    const inOrder = (first: 'courses' | 'families', then: 'courses' | 'families') =>
      transact(write, async (tx) => {
        tries += 1;
        await holdTable(tx, first);
        holding += 1;
        if (holding === 2) resolve();
        await bothHoldOne;
        await holdTable(tx, then);
        return first;
      });
    const done = await Promise.all([inOrder('courses', 'families'), inOrder('families', 'courses')]);
    expect(done).toEqual(['courses', 'families']);
    expect(tries).toBe(3);
  });

  test('is tried three times more when it can’t be put in an order with others, and stores nothing then', async ({
    open,
  }) => {
    const { write } = await open();
    let tries = 0;
    const conflicting = (until: number) => async (tx: Tx) => {
      tries += 1;
      await createStudent(tx, { id: null, name: 'Test' }, aStudent({ id: `S${until}` }));
      if (tries < until) await sql`do 'begin raise sqlstate ''40001''; end'`.execute(tx);
    };
    await transact(write, conflicting(4));
    expect(tries).toBe(4);
    tries = 0;
    await expect(transact(write, conflicting(5))).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(4);
    expect(await write.selectFrom('students').select('id').execute()).toEqual([{ id: 'S4' }]);
  });

  test('is tried once when its own records are at fault', async ({ open }) => {
    const { write } = await open();
    let tries = 0;
    const orphan = transact(write, async (tx) => {
      tries += 1;
      await tx
        .insertInto('families')
        .values({ ...aFamily('nobody'), version: 1 })
        .execute();
    });
    await expect(orphan).rejects.toMatchObject({ code: '23503' });
    expect(tries).toBe(1);
  });
});

describe('what one process takes of a shared server', () => {
  test('is as many connections as it may have, and no more', async ({ open, database }) => {
    const { read, state } = await open({ connections: 2 });
    const other = await open();
    const sleeping = Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.4)`.execute(read)));
    const name = new URL(database.place).pathname.slice(1);
    const busy = async () => {
      const { rows } = await sql<{ busy: number }>`
        select count(*) as busy from pg_stat_activity
        where datname = ${name} and query like '%pg_sleep%' and pid != pg_backend_pid()`.execute(other.read);
      return rows[0]?.busy;
    };
    await vi.waitUntil(async () => (await busy()) === 2);
    expect(await state()).toEqual({ engine: 'postgresql', inUse: 2, idle: 0, waiting: 4, most: 2 });
    await sleeping;
  });

  test('is no longer than a statement may take', async ({ open }) => {
    const { read, write } = await open({ statementTimeout: 300 });
    const release = await heldOpen((await open()).write, (tx) => holdTable(tx, 'students'));
    const blocked = transact(write, (tx) => createStudent(tx, { id: null, name: 'Test' }, aStudent()));
    await expect(blocked).rejects.toSatisfy(isOutOfReach);
    await release();
    await expect(sql`select pg_sleep(20)`.execute(read)).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a transaction of a process that stands still', () => {
  test('is ended by the server after some seconds, since others wait for what it holds', async ({ open }) => {
    const { write } = await open();
    const still = transact(write, async (tx) => {
      await holdTable(tx, 'students');
      await setTimeout(9_000);
      await holdTable(tx, 'students');
    });
    still.catch(() => {});
    await setTimeout(500);
    const begin = performance.now();
    const other = await open();
    await transact(other.write, (tx) => createStudent(tx, { id: null, name: 'Test' }, aStudent()));
    // Half the time that a statement may take.
    expect(performance.now() - begin).toBeLessThan(7_500);
  });
});

describe('at the start', () => {
  test('it is said when the server does not write through to the disk, and this product does', async () => {
    const settings = { fsync: 'off', synchronous_commit: 'off' };
    const server = await PostgresServer.start({ settings });
    try {
      const told: string[] = [];
      const db = await openPostgres(server.url(), { log: (what) => told.push(what) });
      const { rows } = await sql`show synchronous_commit`.execute(db.read);
      await db.close();
      expect(told).toEqual([
        expect.stringContaining('fsync is off'),
        expect.stringContaining('synchronous_commit is off'),
      ]);
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    } finally {
      await server.dispose();
    }
  });

  test('nothing is said of a server that does, and more than the disk is waited for where it is set so', async ({
    database,
    open,
  }) => {
    const told: string[] = [];
    const log = (what: string) => told.push(what);
    const { read, write } = await open({ log });
    const name = new URL(database.place).pathname.slice(1);
    await sql`alter database ${sql.ref(name)} set synchronous_commit = remote_apply`.execute(write);
    const other = await open({ log });
    const show = sql<{ synchronous_commit: string }>`show synchronous_commit`;
    const both = [await show.execute(read), await show.execute(other.read)];
    expect(both.map(({ rows }) => rows[0]?.synchronous_commit)).toEqual(['on', 'remote_apply']);
    expect(told).toEqual([]);
  });

  base.for<[string, boolean]>([
    ['90624', true],
    ['140011', true],
    ['149999', true],
    ['150000', false],
    ['150004', false],
    ['170002', false],
    ['none', true],
  ])('version %s of the server is too old: %s', ([version, expected]) => {
    expect(isTooOld(version)).toBe(expected);
  });
});
