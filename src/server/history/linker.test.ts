import { test as base, describe, expect, vi } from 'vitest';
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres, type TestDatabase } from '../../../tests/support/database/engines.ts';
import { commitUnlinked } from '../../../tests/support/database/pending-entries.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { aStudent } from '../../../tests/support/records.ts';
import type { Db, Tx } from '../db/schema.ts';
import { SEEDER } from '../seed/seed-faculty.ts';
import { createStudent } from '../students/write-student.ts';
import { runChecks } from '../verify/checks.ts';
import { Linker } from './linker.ts';
import { linkPending } from './links.ts';
import { recordChange } from './record-change.ts';
import { transact } from './transaction.ts';
import { verifyChain } from './verify-chain.ts';

interface Fixtures {
  database: TestDatabase;
  /** Opens the database as another process does. */
  open: () => Promise<Db>;
  /** The same, of a server, which links behind its commits. */
  serve: () => Promise<Db>;
}

const withDatabase = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  database: async ({}, use) => {
    const database = await postgres.prepare({ isMade: true });
    await use(database);
    await database.remove();
  },
  open: async ({ database }, use) => {
    const closers: (() => Promise<void>)[] = [];
    await use(async () => {
      const { write, close } = await database.open();
      closers.push(close);
      return write;
    });
    for (const close of closers) await close();
  },
  serve: async ({ open }, use) => {
    const linkers: (Linker | undefined)[] = [];
    const failures: unknown[] = [];
    await use(async () => {
      const db = await open();
      linkers.push(Linker.start(db, (error) => failures.push(error)));
      return db;
    });
    for (const linker of linkers) await linker?.stop();
    expect(failures).toEqual([]);
  },
});

const test = postgres.isMissing ? withDatabase.skip : withDatabase;

/** Students of one cohort share the rows that count them, so each may have a degree of their own. */
const create =
  (id: string, degree = '44') =>
  (tx: Tx) =>
    createStudent(tx, SEEDER, aStudent({ id, degree }));

/** The students whose creation is linked, in the order of the chain. */
async function linkedStudents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('history_links')
    .innerJoin('history', 'history.id', 'history_links.history_id')
    .select('entity_id')
    .orderBy('number')
    .execute();
  return rows.map(({ entity_id }) => entity_id);
}

describe('the history of a database on a server', () => {
  test('lets changes of different students commit in any order, and links them in that order', async ({
    serve,
  }) => {
    const db = await serve();
    let [reachEnd, commit] = [() => {}, () => {}];
    const isAtEnd = new Promise<void>((resolve) => {
      reachEnd = resolve;
    });
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const slow = transact(db, create('A'), () => {
      reachEnd();
      return mayCommit;
    });
    await isAtEnd;
    await transact(db, create('B', '45'));
    await linkPending(db);
    expect(await linkedStudents(db)).toEqual(['B']);
    commit();
    await slow;
    await linkPending(db);
    expect(await linkedStudents(db)).toEqual(['B', 'A']);
    expect(await verifyChain(db)).toMatchObject({ head: { number: 2 }, pending: 0 });
    expect(await verifyChain(db)).not.toHaveProperty('fault');
  });

  test('is one chain without gaps when several processes link it at once', async ({ serve }) => {
    const processes = await Promise.all([serve(), serve(), serve()]);
    const each = 15;
    const count = each * processes.length;
    // Each process one after the other: more at once would wait for its connections, which has a limit of time.
    await Promise.all(
      processes.map(async (db, process) => {
        for (let i = 0; i < each; i += 1) {
          await transact(db, create(`S${process}-${i}`, `${40 + (i % 5)}`));
          await linkPending(db);
        }
      }),
    );
    const [db = await serve()] = processes;
    expect(await verifyChain(db)).toMatchObject({ head: { number: count }, pending: 0 });
    expect(await verifyChain(db)).not.toHaveProperty('fault');
  });

  test('is pending with the digest of each entry, whatever its text', async ({ serve }) => {
    const db = await serve();
    const texts = ['"', "\\ \\n '", '\u0001\u001f\u007f\u2028', 'Größe 平均 😀', '$1 %s {}', ''];
    await transact(db, async (tx) => {
      for (const text of texts) {
        await recordChange(
          tx,
          { id: null, name: text },
          {
            ...{ action: 'update', entity: 'user', entityId: text },
            ...{ before: { [text]: null }, after: { text, number: 1e21 } },
          },
        );
      }
    });
    expect(await verifyChain(db)).not.toHaveProperty('fault');
    await linkPending(db);
    expect(await verifyChain(db)).toMatchObject({ head: { number: texts.length }, pending: 0 });
  });

  test('is linked within the transaction of a command', async ({ open }) => {
    const db = await open();
    await commitUnlinked(db, create('A'));
    await transact(db, create('B'));
    expect(await linkedStudents(db)).toEqual(['B']);
    expect(await verifyChain(db)).toMatchObject({ head: { number: 1 }, pending: 1 });
  });

  describe('that a killed process has left unlinked', () => {
    test('is linked by the next start', async ({ database, open }) => {
      const db = await open();
      await commitUnlinked(db, create('A'));
      const app = await TestApp.open(postgres, { database });
      try {
        await vi.waitUntil(async () => (await verifyChain(db)).pending === 0);
      } finally {
        await app.close();
      }
      expect(await linkedStudents(db)).toEqual(['A']);
    });

    test('is linked by a clean stop', async ({ database, open }) => {
      const db = await open();
      const app = await TestApp.open(postgres, { database });
      await commitUnlinked(db, create('A'));
      await app.close();
      expect(await linkedStudents(db)).toEqual(['A']);
    });

    test('is linked by “sims verify”, whose head has it', async ({ database, open }) => {
      const db = await open();
      await commitUnlinked(db, create('A'));
      await commitUnlinked(db, create('B'));
      const { code, lines } = await runSimsInProcess(['verify'], toSettings(database));
      expect(code).toBe(0);
      expect(lines).toContain('Chain of the history: in order');
      expect(lines.at(-1)).toMatch(/: 2:[0-9a-f]{64}$/);
    });

    test('is compared with its digest, and counted, while it is unlinked', async ({ open }) => {
      const db = await open();
      await commitUnlinked(db, create('A'));
      const lines: string[] = [];
      expect(await runChecks(db, (line) => lines.push(line))).toEqual([]);
      expect(lines).toContain('Chain of the history: 1 of the latest entries is not in it yet.');
    });

    test('is reported by “sims verify” if it can’t be linked', async ({ database, open }) => {
      const db = await open();
      await transact(db, create('A'));
      await db
        .insertInto('history_pending')
        .columns(['history_id', 'digest'])
        .expression((eb) => eb.selectFrom('history_links').select(['history_id', 'hash']))
        .execute();
      const { code, lines } = await runSimsInProcess(['verify'], toSettings(database));
      expect(code).toBe(1);
      expect(lines[0]).toMatch(/^The latest entries of the history could not be linked: /);
      expect(lines).toContain('Chain of the history: Entry 1 is in the chain and noted as not in it yet.');
    });
  });
});
