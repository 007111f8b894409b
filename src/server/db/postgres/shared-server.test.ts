import { sql } from 'kysely';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres, type TestDatabase } from '../../../../tests/support/database/engines.ts';
import { holdTransaction } from '../../../../tests/support/database/open-transaction.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { aFamily, aStudent } from '../../../../tests/support/records.ts';
import { transact } from '../../history/transaction.ts';
import { createStudent } from '../../students/write-student.ts';
import type { Database, ServerOptions } from '../database.ts';
import { isUnavailable } from '../dialect/errors.ts';
import { lockTable } from '../dialect/locks.ts';
import type { Tx } from '../schema.ts';
import { isTooOld, openPostgres } from './open-postgres.ts';

interface Fixtures {
  database: TestDatabase;
  open: (options?: ServerOptions) => Promise<Database>;
}

const withDatabase = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  database: async ({}, use) => {
    const database = await postgres.prepare({ isMade: true });
    await use(database);
    await database.remove();
  },
  open: async ({ database }, use) => {
    const opened: Database[] = [];
    await use(async (options) => {
      const db = await openPostgres(database.location, options);
      opened.push(db);
      return db;
    });
    for (const db of opened) await db.close();
  },
});

const test = postgres.isMissing ? withDatabase.skip : withDatabase;

describe('a transaction in conflict with others', () => {
  test('is retried when the server aborts it because of a deadlock', async ({ open }) => {
    const { write } = await open();
    let tries = 0;
    let resolve = () => {};
    const bothHoldOne = new Promise<void>((done) => {
      resolve = done;
    });
    let holding = 0;
    const lockInOrder = (first: 'courses' | 'families', then: 'courses' | 'families') =>
      transact(write, async (tx) => {
        tries += 1;
        await lockTable(tx, first);
        holding += 1;
        if (holding === 2) resolve();
        await bothHoldOne;
        await lockTable(tx, then);
        return first;
      });
    const done = await Promise.all([lockInOrder('courses', 'families'), lockInOrder('families', 'courses')]);
    expect(done).toEqual(['courses', 'families']);
    expect(tries).toBe(3);
  });

  test('is retried three times after serialisation failures, and then stores nothing', async ({ open }) => {
    const { write } = await open();
    let tries = 0;
    const conflicting = (until: number) => async (tx: Tx) => {
      tries += 1;
      await createStudent(tx, { id: null, name: 'Test', role: 'admin' }, aStudent({ id: `S${until}` }));
      if (tries < until) await sql`do 'begin raise sqlstate ''40001''; end'`.execute(tx);
    };
    await transact(write, conflicting(4));
    expect(tries).toBe(4);
    tries = 0;
    await expect(transact(write, conflicting(5))).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(4);
    expect(await write.selectFrom('students').select('id').execute()).toEqual([{ id: 'S4' }]);
  });

  test('is not retried when it violates a constraint', async ({ open }) => {
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

describe('a process on a shared server', () => {
  test('opens no more connections than it may have', async ({ open, database }) => {
    const { read, state } = await open({ connections: 2 });
    const other = await open();
    const sleeping = Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.4)`.execute(read)));
    const name = new URL(database.location).pathname.slice(1);
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

  test('cancels statements after the timeout', async ({ open }) => {
    const { read, write } = await open({ statementTimeout: 300 });
    const release = await holdTransaction((await open()).write, (tx) => lockTable(tx, 'students'));
    const blocked = transact(write, (tx) =>
      createStudent(tx, { id: null, name: 'Test', role: 'admin' }, aStudent()),
    );
    await expect(blocked).rejects.toSatisfy(isUnavailable);
    await release();
    await expect(sql`select pg_sleep(20)`.execute(read)).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a transaction of a suspended process', () => {
  test('is ended by the server after some seconds, which releases its locks', async ({ open }) => {
    const { write } = await open();
    let [signalHeld, resume] = [() => {}, () => {}];
    const isHeld = new Promise<void>((resolve) => {
      signalHeld = resolve;
    });
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const suspended = transact(write, async (tx) => {
      await lockTable(tx, 'students');
      signalHeld();
      await resumed;
      await lockTable(tx, 'students');
    });
    suspended.catch(() => {});
    await isHeld;
    const other = await open();
    // This statement would time out if the server let the first transaction keep its lock.
    await transact(other.write, (tx) =>
      createStudent(tx, { id: null, name: 'Test', role: 'admin' }, aStudent()),
    );
    resume();
    await expect(suspended).rejects.toSatisfy(isUnavailable);
  });
});

describe('a process that starts', () => {
  test('warns when the server does not flush to disk, and turns synchronous commits on', async () => {
    const settings = { fsync: 'off', synchronous_commit: 'off' };
    const server = await PostgresServer.start({ settings });
    try {
      const messages: string[] = [];
      const db = await openPostgres(server.url(), { log: (what) => messages.push(what) });
      const { rows } = await sql`show synchronous_commit`.execute(db.read);
      await db.close();
      expect(messages).toEqual([
        expect.stringContaining('fsync is off'),
        expect.stringContaining('synchronous_commit is off'),
      ]);
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    } finally {
      await server.dispose();
    }
  });

  test('does not warn about a safe server, and keeps a stricter setting for commits', async ({
    database,
    open,
  }) => {
    const messages: string[] = [];
    const log = (what: string) => messages.push(what);
    const { read, write } = await open({ log });
    const name = new URL(database.location).pathname.slice(1);
    await sql`alter database ${sql.ref(name)} set synchronous_commit = remote_apply`.execute(write);
    const other = await open({ log });
    const show = sql<{ synchronous_commit: string }>`show synchronous_commit`;
    const both = [await show.execute(read), await show.execute(other.read)];
    expect(both.map(({ rows }) => rows[0]?.synchronous_commit)).toEqual(['on', 'remote_apply']);
    expect(messages).toEqual([]);
  });

  base.for<[string, boolean]>([
    ['90624', true],
    ['140011', true],
    ['149999', true],
    ['150000', false],
    ['150004', false],
    ['170002', false],
    ['none', true],
  ])('considers version %s of the server too old: %s', ([version, expected]) => {
    expect(isTooOld(version)).toBe(expected);
  });
});
