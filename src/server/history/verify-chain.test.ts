import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import type { BulkPreview, BulkReply } from '../../contract/bulk.ts';
import { openToFill } from '../db/copy/copy-installation.ts';
import { readPlace } from '../db/copy/place.ts';
import { transact } from '../db/transact.ts';
import { SEEDER } from '../seed/seed-faculty.ts';
import { createStudent } from '../students/write-student.ts';
import type { Head } from './chain.ts';
import { headOf, verifyChain } from './verify-chain.ts';

const enter = async (person: Person, count: number) => {
  for (let i = 0; i < count; i += 1) await person.post('/api/students', aStudent());
};

type Tampering = readonly string[];

const SQLITE_OFF = ['history', 'history_links'].flatMap((table) =>
  ['update', 'delete'].map((change) => `drop trigger ${table}_no_${change}`),
);
const POSTGRES_OFF = ['history', 'history_links'].map((table) => `alter table ${table} disable trigger all`);

const INSERT = `insert into history (at, user_name, action, entity, entity_id)
  values ('2026-03-14T08:00:00.000Z', 'x', 'create', 'user', '9')`;
const HASH = 'a'.repeat(64);

/** With entries 1 to 5 in the chain. */
const TAMPERINGS: readonly [string, Tampering, RegExp][] = [
  [
    'a changed name',
    [`update history set user_name = 'Nobody' where id = 3`],
    /^Entry 3, number 3 .* changed/,
  ],
  [
    'a changed moment',
    [`update history set at = '2020' || substr(at, 5) where id = 2`],
    /^Entry 2, number 2 /,
  ],
  [
    'a changed value',
    [`update history set "after" = replace("after", '"CE"', '"EE"') where id = 4`],
    /^Entry 4, /,
  ],
  [
    'a value put elsewhere',
    ['update history set "before" = "after", "after" = null where id = 3'],
    /^Entry 3, number 3 /,
  ],
  ['a removed entry', ['delete from history where id = 4'], /^Entry 4, number 4 .* removed/],
  [
    'an entry removed with its link',
    ['delete from history where id = 3', 'delete from history_links where number = 3'],
    /^Number 3 .* removed/,
  ],
  [
    'an entry removed, and later ones moved up',
    [
      'delete from history where id = 3',
      'delete from history_links where number = 3',
      'update history_links set number = 3 where number = 4',
      'update history_links set number = 4 where number = 5',
      'update history_head set number = 4',
    ],
    /^Entry 4, number 3 /,
  ],
  ['an inserted entry', [INSERT], /^Entry \d+ has been inserted/],
  [
    'an inserted entry with a link',
    [
      INSERT,
      `insert into history_links (number, history_id, hash) select 6, max(id), '${HASH}' from history`,
    ],
    /^Entry \d+, number 6 /,
  ],
  [
    'entries in another order',
    [
      'update history_links set history_id = -3 where history_id = 3',
      'update history_links set history_id = 3 where history_id = 4',
      'update history_links set history_id = 4 where history_id = -3',
    ],
    /^Entry 4, number 3 .* others have taken its place/,
  ],
  [
    'a cut tail',
    ['delete from history where id > 3', 'delete from history_links where number > 3'],
    /^Number 4 of the chain, which was 5 long, and all after it/,
  ],
  ['a changed head', [`update history_head set hash = '${HASH}'`], /^The head .* does not fit/],
  ['a head set back', ['update history_head set number = 3'], /^The head .* number 3, does not fit/],
  ['a removed head', ['delete from history_head'], /^The head .* number 0, does not fit/],
];

describe.each(freshApps())('the chain of the history, on $name', ({ name, engine, test }) => {
  /** Does what only somebody with the database in hand can, answers what that shows as, and takes it back. */
  const faultAfter = async ({ db }: TestApp, tamper: Tampering, noted?: Head) => {
    const faults: (string | undefined)[] = [];
    const takeBack = new Error('taken back');
    const tampering = db.write.transaction().execute(async (tx) => {
      for (const statement of name === 'sqlite' ? SQLITE_OFF : POSTGRES_OFF)
        await sql.raw(statement).execute(tx);
      for (const statement of tamper) await sql.raw(statement).execute(tx);
      faults.push((await verifyChain(tx, noted)).fault);
      throw takeBack;
    });
    await expect(tampering).rejects.toBe(takeBack);
    return faults[0];
  };

  test('is empty at first, grows with each entry, and is whole', async ({ app }) => {
    expect(await verifyChain(app.db.read)).toEqual({ head: { number: 0, hash: '0'.repeat(64) } });
    const admin = await app.register();
    const noted = await headOf(app.db.read);
    await enter(admin, 3);
    const verdict = await verifyChain(app.db.read, noted);
    expect(verdict).toEqual({ head: await headOf(app.db.read) });
    expect(verdict.head.number).toBe(4);
    expect(noted.number).toBe(1);
  });

  test('can not be changed by a statement on its own', async ({ app, admin: _ }) => {
    const { write } = app.db;
    await expect(write.updateTable('history_links').set({ hash: 'x' }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(write.deleteFrom('history_links').execute()).rejects.toThrow('append-only');
  });

  test('stays whole when many write at once', async ({ app, admin, staff }) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? admin : staff).post('/api/students', aStudent())),
    );
    // A machine with much else to do may turn some of them away.
    const entered = answers.filter(({ status }) => status === 201).length;
    expect(entered).toBeGreaterThan(1);
    expect(await verifyChain(app.db.read)).toEqual({ head: await headOf(app.db.read) });
    expect((await headOf(app.db.read)).number).toBe(entered + 2);
  });

  test('shows what was tampered with, whatever it was', async ({ app, admin }) => {
    await enter(admin, 4);
    for (const [what, tampering, fault] of TAMPERINGS) {
      expect(await faultAfter(app, tampering), what).toMatch(fault);
    }
    expect(await verifyChain(app.db.read)).toEqual({ head: await headOf(app.db.read) });
  });

  test('that was made anew does not lead through a head noted before', async ({ app, admin }) => {
    await enter(admin, 3);
    const { hash } = await headOf(app.db.read);
    await enter(admin, 1);
    const noted = await headOf(app.db.read);
    const cutOff = [
      'delete from history where id = 5',
      'delete from history_links where number = 5',
      `update history_head set number = 4, hash = '${hash}'`,
    ];
    expect(await faultAfter(app, cutOff)).toBeUndefined();
    expect(await faultAfter(app, cutOff, noted)).toMatch(/^Number 5 of the chain, which was 5 long/);
    const verify = (head: Head) => verifyChain(app.db.read, head);
    await enter(admin, 1);
    expect(await verify(noted)).not.toHaveProperty('fault');
    expect((await verify({ number: 4, hash: noted.hash })).fault).toMatch(
      /^Number 4 .* is not the noted one/,
    );
    expect((await verify({ number: 0, hash: noted.hash })).fault).toMatch(
      /^Number 0 .* is not the noted one/,
    );
  });

  test('goes through a change of many and its undo', async ({ app, admin }) => {
    const ids = Array.from({ length: 120 }, (_, i) => `S${i}`);
    await transact(app.db.write, async (tx) => {
      for (const id of ids) await createStudent(tx, SEEDER, aStudent({ id, syn: 'A' }));
    });
    const change = { action: 'syndicate', syn: 'B', ids };
    const { fingerprint } = (await admin.post('/api/students/bulk/preview', change)).body as BulkPreview;
    const { change: bulk } = (await admin.post('/api/students/bulk', { ...change, fingerprint }))
      .body as BulkReply;
    expect((await admin.post(`/api/students/bulk/${bulk.id}/undo`)).status).toBe(200);
    expect(await verifyChain(app.db.read)).toMatchObject({ head: { number: 361 } });
    expect(await verifyChain(app.db.read)).not.toHaveProperty('fault');
  });

  test('begins with the entries of a database from before there was a chain', async () => {
    const database = await engine.prepare();
    try {
      const before = await openToFill(readPlace('--to', database.place), 5);
      for (const entity_id of ['S1', 'S2']) {
        await before.write
          .insertInto('history')
          .values({
            at: new Date().toISOString(),
            action: 'create',
            entity: 'student',
            entity_id,
            after: '{}',
          })
          .execute();
      }
      await before.close();
      const after = await database.open();
      const verdict = await verifyChain(after.read);
      expect(verdict).toMatchObject({ head: { number: 2 } });
      expect(verdict).not.toHaveProperty('fault');
      await after.close();
    } finally {
      await database.remove();
    }
  });
});
