import { sql } from 'kysely';
import pg from 'pg';
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { postgres } from '../../../../tests/support/database/engines.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import { createStudent } from '../../students/write-student.ts';
import type { Database, ServerOptions } from '../database.ts';
import { opaqueParameter } from '../dialect/sql.ts';
import { preparedQuery, preparedRowsChange, preparedUpdate } from '../prepared-query.ts';
import type { Tx } from '../schema.ts';
import { retryTransaction } from '../transaction.ts';
import { openPostgres } from './open-postgres.ts';

const withDatabase = base.extend<{ open: (options?: ServerOptions) => Promise<Database> }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  open: async ({}, use) => {
    const database = await postgres.prepare({ isMade: true });
    const opened: Database[] = [];
    await use(async (options) => {
      const db = await openPostgres(database.location, options);
      opened.push(db);
      return db;
    });
    for (const db of opened) await db.close();
    await database.remove();
  },
});
const test = postgres.isMissing ? withDatabase.skip : withDatabase;

const insertTerms = preparedRowsChange(
  { term: 'text', student_id: 'text' },
  (_, rows) => sql`insert into student_terms (term, student_id) select term, student_id from ${rows} l`,
);
const rename = preparedUpdate('students', { id: 'text' }, { first_name: 'text' });

const aTerm = { term: 'ali', student_id: 'S1' };
const countTerms = ({ read }: Database) => read.selectFrom('student_terms').selectAll().execute();

describe('a change for whose end a transaction does not wait', () => {
  test('fails the commit with its own error, and nothing is stored', async ({ open }) => {
    const database = await open();
    const done = retryTransaction(database.write, async (tx) => {
      await insertTerms(tx, [aTerm]);
      await insertTerms(tx, [aTerm]);
      await insertTerms(tx, [{ ...aTerm, term: 'ada' }]);
    });
    await expect(done).rejects.toMatchObject({ code: '23505' });
    expect(await countTerms(database)).toEqual([]);
  });

  test('fails the next statement that is waited for with its own error', async ({ open }) => {
    const database = await open();
    const reached: string[] = [];
    const done = retryTransaction(database.write, async (tx) => {
      await insertTerms(tx, [aTerm, aTerm]);
      reached.push('sent');
      await tx.selectFrom('student_terms').selectAll().execute();
      reached.push('answered');
    });
    await expect(done).rejects.toMatchObject({ code: '23505' });
    expect(reached).toEqual(['sent']);
  });

  test('does not hide why the transaction is rolled back', async ({ open }) => {
    const database = await open();
    const done = retryTransaction(database.write, async (tx) => {
      await insertTerms(tx, [aTerm, aTerm]);
      throw new Error('not allowed');
    });
    await expect(done).rejects.toThrow('not allowed');
    expect(await countTerms(database)).toEqual([]);
  });

  test('lets the transaction run again when the server aborts it', async ({ open }) => {
    const database = await open();
    let tries = 0;
    await retryTransaction(database.write, async (tx) => {
      tries += 1;
      await insertTerms(tx, [aTerm]);
      if (tries === 1) await sql`do 'begin raise sqlstate ''40001''; end'`.execute(tx);
    });
    expect(tries).toBe(2);
    expect(await countTerms(database)).toEqual([aTerm]);
  });

  test('is seen by what the transaction reads next', async ({ open }) => {
    const database = await open();
    const found = await retryTransaction(database.write, async (tx) => {
      await createStudent(tx, { id: null, name: 'Test', role: 'admin' }, aStudent({ id: 'S1' }));
      await rename(tx, [{ id: 'S1', first_name: 'Zoe' }]);
      return tx.selectFrom('students').select('first_name').where('id', '=', 'S1').executeTakeFirst();
    });
    expect(found).toEqual({ first_name: 'Zoe' });
  });
});

const divide = preparedQuery<{ part: number }, [by: number]>(
  (db) => sql`select 1 / cast(${opaqueParameter(db, 0)} as integer) as part`,
);

describe('a transaction of which a statement has failed', () => {
  test('tells the statements that were sent behind it why they fail', async ({ open }) => {
    const { write } = await open();
    const outcomes: PromiseSettledResult<unknown>[] = [];
    await retryTransaction(write, async (tx) => {
      outcomes.push(...(await Promise.allSettled([divide(tx, 0), divide(tx, 1)])));
    }).catch(() => {});
    const reason = expect.objectContaining({ code: '22012' });
    expect(outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  test('fails, even if nobody has heard of it', async ({ open }) => {
    const database = await open();
    const done = retryTransaction(database.write, async (tx) => {
      await insertTerms(tx, [aTerm, aTerm]);
      await divide(tx, 1).catch(() => {});
    });
    await expect(done).rejects.toMatchObject({ code: '23505' });
    expect(await countTerms(database)).toEqual([]);
  });
});

const selectTerms = preparedQuery<{ term: string }, []>(() => sql`select term from student_terms`);

describe('the beginning of a transaction', () => {
  test.for([
    ['is sent together with a first read', selectTerms, ['begin', 'select term']],
    ['is answered before a first change is sent', (tx: Tx) => insertTerms(tx, [aTerm]), ['begin']],
  ] as const)('%s', async ([, act, sent], { open }) => {
    const { write } = await open();
    await retryTransaction(write, async (tx) => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      onTestFinished(() => query.mockRestore());
      const done = act(tx);
      // No answer can arrive before the event loop turns.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      expect(query.mock.calls.map(([one]) => JSON.stringify(one))).toEqual(
        sent.map((text) => expect.stringContaining(text)),
      );
      await done;
    });
  });
});
