import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { commitUnlinked } from '../../../tests/support/database/pending-entries.ts';
import { aStudent } from '../../../tests/support/records.ts';
import type { BulkPreview, BulkReply } from '../../contract/students/bulk.ts';
import { SEEDER } from '../seed/seed-faculty.ts';
import { createStudent } from '../students/write-student.ts';
import type { Head } from './chain.ts';
import { Linker } from './linker.ts';
import { linkPending, linkPendingIn } from './links.ts';
import { transact } from './transaction.ts';
import { readHead, verifyChain } from './verify-chain.ts';

const enter = async (person: Person, count: number) => {
  for (let i = 0; i < count; i += 1) await person.post('/api/students', aStudent());
};

/** The head of the chain with every entry linked. */
const readChainHead = async ({ db }: TestApp): Promise<Head> => {
  await linkPending(db.write);
  return readHead(db.read);
};

type Statements = readonly string[];

const DISABLE_SQLITE_TRIGGERS = ['history', 'history_links'].flatMap((table) =>
  ['update', 'delete'].map((change) => `drop trigger ${table}_no_${change}`),
);
const DISABLE_POSTGRES_TRIGGERS = ['history', 'history_links'].map(
  (table) => `alter table ${table} disable trigger all`,
);

const INSERT = `insert into history (at, user_name, action, entity, entity_id)
  values ('2026-03-14T08:00:00.000Z', 'x', 'create', 'user', '9')`;
const HASH = 'a'.repeat(64);

/** Title, statements and expected fault, for a chain of entries 1 to 5. */
const TAMPERINGS: readonly [string, Statements, RegExp][] = [
  [
    'a changed name',
    [`update history set user_name = 'Nobody' where id = 3`],
    /^Entry 3, number 3 .* changed/,
  ],
  ['a changed time', [`update history set at = '2020' || substr(at, 5) where id = 2`], /^Entry 2, number 2 /],
  [
    'a changed value',
    [`update history set "after" = replace("after", '"CE"', '"EE"') where id = 4`],
    /^Entry 4, /,
  ],
  [
    'a value moved to another column',
    ['update history set "before" = "after", "after" = null where id = 3'],
    /^Entry 3, number 3 /,
  ],
  ['a removed entry', ['delete from history where id = 4'], /^Entry 4, number 4 .* removed/],
  [
    'a removed entry and link',
    ['delete from history where id = 3', 'delete from history_links where number = 3'],
    /^Number 3 .* removed/,
  ],
  [
    'a removed entry with later ones renumbered',
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
    'swapped entries',
    [
      'update history_links set history_id = -3 where history_id = 3',
      'update history_links set history_id = 3 where history_id = 4',
      'update history_links set history_id = 4 where history_id = -3',
    ],
    /^Entry 4, number 3 .* others have taken its place/,
  ],
  [
    'removed last entries',
    ['delete from history where id > 3', 'delete from history_links where number > 3'],
    /^Number 4 of the chain, which was 5 long, and all after it/,
  ],
  ['a changed head', [`update history_head set hash = '${HASH}'`], /^The head .* does not fit/],
  [
    'a head set to an earlier number',
    ['update history_head set number = 3'],
    /^The head .* number 3, does not fit/,
  ],
  ['a removed head', ['delete from history_head'], /^The head .* number 0, does not fit/],
];

/** The same for a chain of entries 1 to 2, and entries 3 to 5 that are not linked yet. */
const PENDING_TAMPERINGS: typeof TAMPERINGS = [
  [
    'a changed name',
    [`update history set user_name = 'Nobody' where id = 4`],
    /^Entry 4, .* not what was written/,
  ],
  [
    'a changed value',
    [`update history set "after" = replace("after", '"CE"', '"EE"') where id = 3`],
    /^Entry 3, /,
  ],
  ['a removed entry', ['delete from history where id = 4'], /^Entry 4, .* removed/],
  ['an inserted entry', [INSERT], /^Entry 6 has been inserted/],
  [
    'an entry that is not noted',
    ['delete from history_pending where history_id = 5'],
    /^Entry 5 has been inserted/,
  ],
  [
    'a linked entry that is noted',
    [`insert into history_pending (history_id, digest) values (2, '${HASH}')`],
    /^Entry 2 is in the chain and noted/,
  ],
];

describe.each(freshApps())('the chain of the history, on $name', ({ name, test }) => {
  /** Runs the statements with the triggers disabled, returns the fault that is found, and rolls back. */
  const faultAfter = async (
    { db }: TestApp,
    statements: Statements,
    { noted, link = false }: { noted?: Head; link?: boolean } = {},
  ) => {
    const faults: (string | undefined)[] = [];
    const rollback = new Error('rollback');
    const tampering = db.write.transaction().execute(async (tx) => {
      for (const statement of name === 'sqlite' ? DISABLE_SQLITE_TRIGGERS : DISABLE_POSTGRES_TRIGGERS)
        await sql.raw(statement).execute(tx);
      for (const statement of statements) await sql.raw(statement).execute(tx);
      if (link) await linkPendingIn(tx);
      faults.push((await verifyChain(tx, noted)).fault);
      throw rollback;
    });
    await expect(tampering).rejects.toBe(rollback);
    return faults[0];
  };

  test('starts empty and grows with each entry', async ({ app }) => {
    expect(await verifyChain(app.db.read)).toEqual({ head: { number: 0, hash: '0'.repeat(64) }, pending: 0 });
    const admin = await app.register();
    const noted = await readChainHead(app);
    await enter(admin, 3);
    const head = await readChainHead(app);
    const verdict = await verifyChain(app.db.read, noted);
    expect(verdict).toEqual({ head, pending: 0 });
    expect(verdict.head.number).toBe(4);
    expect(noted.number).toBe(1);
  });

  test('cannot be changed by a single statement', async ({ app, admin: _ }) => {
    const { write } = app.db;
    await linkPending(write);
    await expect(write.updateTable('history_links').set({ hash: 'x' }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(write.deleteFrom('history_links').execute()).rejects.toThrow('append-only');
  });

  test('stays intact under concurrent writes', async ({ app, admin, staff }) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? admin : staff).post('/api/students', aStudent())),
    );
    // A busy machine may refuse some of them.
    const entered = answers.filter(({ status }) => status === 201).length;
    expect(entered).toBeGreaterThan(1);
    const head = await readChainHead(app);
    expect(await verifyChain(app.db.read)).toEqual({ head, pending: 0 });
    expect(head.number).toBe(entered + 2);
  });

  test('detects every kind of tampering', async ({ app, admin }) => {
    await enter(admin, 4);
    await linkPending(app.db.write);
    for (const [title, statements, fault] of TAMPERINGS) {
      expect(await faultAfter(app, statements), title).toMatch(fault);
    }
    expect(await verifyChain(app.db.read)).toEqual({ head: await readHead(app.db.read), pending: 0 });
  });

  test('detects tampering with entries that are not linked yet, and still when they are', async ({
    app,
    admin,
  }) => {
    await Linker.of(app.db.write)?.stop();
    await enter(admin, 1);
    for (let i = 0; i < 3; i += 1)
      await commitUnlinked(app.db.write, (tx) => createStudent(tx, SEEDER, aStudent()));
    expect(await verifyChain(app.db.read)).toEqual({ head: await readHead(app.db.read), pending: 3 });
    for (const [title, statements, fault] of PENDING_TAMPERINGS) {
      expect(await faultAfter(app, statements), title).toMatch(fault);
    }
    const change = `update history set user_name = 'Nobody' where id = 4`;
    expect(await faultAfter(app, [change], { link: true })).toMatch(/^Entry 4, number 4 .* changed/);
    expect(await verifyChain(app.db.read)).not.toHaveProperty('fault');
  });

  test('lacks a noted head after its end was removed and the head recomputed', async ({ app, admin }) => {
    await enter(admin, 3);
    const { hash } = await readChainHead(app);
    await enter(admin, 1);
    const noted = await readChainHead(app);
    const cutOff = [
      'delete from history where id = 5',
      'delete from history_links where number = 5',
      `update history_head set number = 4, hash = '${hash}'`,
    ];
    expect(await faultAfter(app, cutOff)).toBeUndefined();
    expect(await faultAfter(app, cutOff, { noted })).toMatch(/^Number 5 of the chain, which was 5 long/);
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

  test('includes a bulk change and its undo', async ({ app, admin }) => {
    const ids = Array.from({ length: 120 }, (_, i) => `S${i}`);
    await transact(app.db.write, async (tx) => {
      for (const id of ids) await createStudent(tx, SEEDER, aStudent({ id, syn: 'A' }));
    });
    const change = { action: 'syndicate', syn: 'B', ids };
    const { fingerprint } = (await admin.post('/api/students/bulk/preview', change)).body as BulkPreview;
    const { change: bulk } = (await admin.post('/api/students/bulk', { ...change, fingerprint }))
      .body as BulkReply;
    expect((await admin.post(`/api/students/bulk/${bulk.id}/undo`)).status).toBe(200);
    await linkPending(app.db.write);
    expect(await verifyChain(app.db.read)).toMatchObject({ head: { number: 361 } });
    expect(await verifyChain(app.db.read)).not.toHaveProperty('fault');
  });
});
