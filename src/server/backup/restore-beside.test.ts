import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { TestApp } from '../../../tests/support/app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../tests/support/engines.ts';
import { inside } from '../../../tests/support/moving.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { settingsOf, simsHere } from '../../../tests/support/sims.ts';
import { openToFill } from '../db/copy/copy-installation.ts';
import { placeOf, readPlace } from '../db/copy/place.ts';
import { makeState, removeState, writeState } from '../db/copy/state.ts';
import { openBeside } from '../db/open-beside.ts';
import { transact } from '../db/transact.ts';
import { readSettings } from '../settings.ts';
import { makeBackup } from './make-backup.ts';

const run = (database: TestDatabase, ...args: string[]) => simsHere(args, settingsOf(database));
const settings = (database: TestDatabase) => readSettings(settingsOf(database));

async function aBackup(database: TestDatabase): Promise<string> {
  const file = path.join(database.folder, 'a.backup');
  await makeBackup(placeOf(settings(database)), file);
  return file;
}

/** Ends connections of the product to a database, all or those of this name, as an idle pool or a proxy does. */
async function endConnections(database: TestDatabase, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.place });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name like $1 and pid <> pg_backend_pid()`,
    [name],
  );
  await client.end();
}

const restoring = { label: '/kept/a.backup', isBackup: true, version: 1, founded: '2026', latest: 0 };

describe.each([sqlite, postgres])('a restore beside others, on $name', (engine) => {
  const onOwn = base.extend<{ database: TestDatabase }>({
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    database: async ({}, use) => {
      const database = await engine.prepare();
      await use(database);
      await database.remove();
    },
  });
  const test = engine.isMissing ? onOwn.skip : onOwn;

  test('is refused while a command works beside the server, and keeps commands out', async ({ database }) => {
    await inside(database, async () => {});
    const file = await aBackup(database);
    const beside = await openBeside(settings(database));
    const refused = await run(database, 'restore', file, '--force');
    expect(refused).toEqual({
      code: 1,
      lines: [expect.stringMatching(/in use by .+nothing was changed\.$/)],
    });
    await beside.close();
    const restored = await run(database, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    expect(restored.lines.at(-1)).toMatch(/passwords, roles, locks.+ recovery codes\..+is good again/);
  });

  test('leaves nobody the first account until it is done', async ({ database }) => {
    const app = await TestApp.open(engine, { database });
    await transact(app.db.write, async (tx) => {
      await makeState(tx);
      await writeState(tx, { source: restoring, indexes: [], tables: {} });
    });
    await expect(app.register()).rejects.toThrow(/answered 503: .+being restored or copied here/);
    await transact(app.db.write, removeState);
    expect((await app.register()).user.role).toBe('admin');
    await app.close();
  });

  test('is begun anew after it was broken off, whatever has come in since', async ({ database }) => {
    const app = await TestApp.open(engine, { database });
    const admin = await app.register();
    await app.close();
    const file = await aBackup(database);
    const there = await engine.prepare();
    if (engine === postgres) {
      const target = await openToFill(readPlace('--to', there.place));
      await transact(target.write, async (tx) => {
        await makeState(tx);
        await writeState(tx, { source: { ...restoring, label: file }, indexes: [], tables: {} });
      });
      await target.close();
      await inside(database, async ({ read }) => {
        const user = await read.selectFrom('users').selectAll().executeTakeFirstOrThrow();
        const meanwhile = await openToFill(readPlace('--to', there.place));
        await meanwhile.write
          .insertInto('users')
          .values({ ...user, name: 'A stranger' })
          .execute();
        await meanwhile.close();
      });
      await expect(there.open()).rejects.toThrow(
        `A restore of ${file} into the database was broken off. Run it again: node dist/server/cli/sims.js restore ${file} --force`,
      );
    } else writeFileSync(path.join(there.folder, 'sims.db.restoring'), 'half');
    const restored = await run(there, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    await inside(there, async ({ read }) => {
      expect(await read.selectFrom('users').select('name').execute()).toEqual([{ name: admin.user.name }]);
    });
    await there.remove();
  });
});

base(
  'a folder whose files were being set aside when a restore was broken off keeps them together',
  async () => {
    const database = await sqlite.prepare();
    await inside(database, async () => {});
    const file = await aBackup(database);
    const aside = path.join(database.folder, 'before-restore-unfinished');
    mkdirSync(aside);
    renameSync(path.join(database.folder, 'sims.db'), path.join(aside, 'sims.db'));
    writeFileSync(path.join(database.folder, 'sims.db-wal'), 'its log');
    writeFileSync(path.join(database.folder, 'sims.db.restoring'), 'half');
    const restored = await run(database, 'restore', file);
    expect(restored.code, restored.lines.join()).toBe(0);
    const kept = readdirSync(database.folder).filter((name) => name.startsWith('before-restore-'));
    expect(kept).toHaveLength(1);
    expect(readdirSync(path.join(database.folder, kept[0] ?? ''))).toEqual(
      expect.arrayContaining(['sims.db', 'sims.db-wal']),
    );
    await database.remove();
  },
);

const onPostgres = postgres.isMissing ? base.skip : base;

onPostgres(
  'a server keeps a restore out that has no other connection, and whose connection was lost',
  async () => {
    const database = await postgres.prepare();
    const app = await TestApp.open(postgres, { database });
    const admin = await app.register();
    const file = await aBackup(database);
    for (const name of ['sims', 'sims%']) {
      await endConnections(database, name);
      await vi.waitUntil(() => isHeld(database), { timeout: 5_000, interval: 20 });
      for (const command of [['restore', file, '--force'], ['relist']]) {
        const refused = await run(database, ...command);
        expect(refused.lines).toEqual([expect.stringMatching(/in use by another SIMS process/)]);
      }
      expect((await admin.post('/api/students', aStudent())).status).toBe(201);
    }

    // Another one comes in all the same, since the hold was lost: nothing is saved that would be replaced.
    const alone = new pg.Client({ connectionString: database.place });
    await alone.connect();
    const waiting = alone.query("select pg_advisory_lock(hashtextextended('sims hold', 0))");
    await endConnections(database, 'sims hold');
    await waiting;
    await vi.waitUntil(async () => (await admin.get('/api/students')).status === 503, { timeout: 5_000 });
    expect((await admin.post('/api/students', aStudent())).status).toBe(503);
    await expect(database.open()).rejects.toThrow(
      /^The database is held by another SIMS process that restores it/,
    );
    await alone.end();
    await vi.waitUntil(async () => (await admin.get('/api/students')).status === 200, { timeout: 5_000 });
    await app.close();
    const restored = await run(database, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    expect(readdirSync(settings(database).backup.dir ?? '')).toHaveLength(1);
    await database.remove();
  },
);

onPostgres.for([
  ['perform pg_terminate_backend(pg_backend_pid())', 'the connection to the database was lost'],
  ["raise exception 'No space left on device' using errcode = '53100'", 'No space left on device'],
] as const)(
  'a restore that is broken off halfway, as by "%s", says so and how to go on',
  async ([act, reason]) => {
    const database = await postgres.prepare();
    const app = await TestApp.open(postgres, { database });
    const admin = await app.register();
    await app.close();
    const file = await aBackup(database);
    const there = await postgres.prepare({ isMade: true });
    const client = new pg.Client({ connectionString: there.place });
    await client.connect();
    await client.query(
      `create function cut() returns trigger language plpgsql as $$begin ${act}; return new; end$$;
     create trigger cut before insert on history for each row execute function cut()`,
    );
    const brokenOff = await run(there, 'restore', file);
    expect([brokenOff.code, brokenOff.lines.at(-1)]).toEqual([
      1,
      `The restore was broken off: ${reason}. The same command begins it anew; until it is done no server starts on what is half restored.`,
    ]);
    await expect(there.open()).rejects.toThrow(/^A restore of .+ into the database was broken off\./);
    await client.query('drop function cut cascade');
    await client.end();
    const restored = await run(there, 'restore', file);
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    await inside(there, async ({ read }) => {
      expect(await read.selectFrom('users').select('name').execute()).toEqual([{ name: admin.user.name }]);
    });
    await there.remove();
    await database.remove();
  },
);

async function isHeld(database: TestDatabase): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.place });
  await client.connect();
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'sims hold'",
  );
  await client.end();
  return rowCount === 1;
}
