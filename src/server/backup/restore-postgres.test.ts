import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../tests/support/database/engines.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { createCopyMarker, removeCopyMarker, updateCopyMarker } from '../db/copy-marker.ts';
import { getLocation, parseLocation } from '../db/location.ts';
import { transact } from '../history/transaction.ts';
import { readSettings } from '../settings/settings.ts';
import { openCopyTarget } from '../transfer/copy.ts';
import { openForCommand } from '../transfer/open-for-command.ts';
import { makeBackup } from './make-backup.ts';

const run = (database: TestDatabase, ...args: string[]) => runSimsInProcess(args, toSettings(database));
const settings = (database: TestDatabase) => readSettings(toSettings(database));

async function createBackup(database: TestDatabase): Promise<string> {
  const file = path.join(database.folder, 'a.backup');
  await makeBackup(getLocation(settings(database)), file);
  return file;
}

/** Ends the connections to a database whose application name matches a pattern, as a proxy may. */
async function endConnections(database: TestDatabase, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.location });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name like $1 and pid <> pg_backend_pid()`,
    [name],
  );
  await client.end();
}

const restoring = { label: '/kept/a.backup', isBackup: true, version: 1, founded: '2026', latest: 0 };

describe.each([sqlite, postgres])('a restore while other processes run, on $name', (engine) => {
  const onOwn = base.extend<{ database: TestDatabase }>({
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    database: async ({}, use) => {
      const database = await engine.prepare({ isMade: true });
      await use(database);
      await database.remove();
    },
  });
  const test = engine.isMissing ? onOwn.skip : onOwn;

  test('is refused while a command uses the database', async ({ database }) => {
    await withDatabase(database, async () => {});
    const file = await createBackup(database);
    const client = await openForCommand(settings(database));
    const refused = await run(database, 'restore', file, '--force');
    expect(refused).toEqual({
      code: 1,
      lines: [expect.stringMatching(/in use by .+nothing was changed\.$/)],
    });
    await client.close();
    const restored = await run(database, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    expect(restored.lines.at(-1)).toMatch(
      /passwords, roles, locks.+ recovery codes are those of the time of the backup/,
    );
  });

  test('does not let anybody register the first account until it is complete', async ({ database }) => {
    const app = await TestApp.open(engine, { database });
    await transact(app.db.write, async (tx) => {
      await createCopyMarker(tx);
      await updateCopyMarker(tx, { source: restoring, indexes: [], tables: {} });
    });
    await expect(app.registerByCall()).rejects.toThrow(/answered 503: .+being restored or copied here/);
    await transact(app.db.write, removeCopyMarker);
    expect((await app.registerByCall()).user.role).toBe('admin');
    await app.close();
  });

  test('starts over after an interruption, and replaces records added since', async ({ database }) => {
    const app = await TestApp.open(engine, { database });
    const admin = await app.register();
    await app.close();
    const file = await createBackup(database);
    const destination = await engine.prepare();
    if (engine === postgres) {
      const target = await openCopyTarget(parseLocation('--to', destination.location));
      await transact(target.write, async (tx) => {
        await createCopyMarker(tx);
        await updateCopyMarker(tx, { source: { ...restoring, label: file }, indexes: [], tables: {} });
      });
      await target.close();
      await withDatabase(database, async ({ read }) => {
        const user = await read.selectFrom('users').selectAll().executeTakeFirstOrThrow();
        const newerTarget = await openCopyTarget(parseLocation('--to', destination.location));
        await newerTarget.write
          .insertInto('users')
          .values({ ...user, name: 'A stranger' })
          .execute();
        await newerTarget.close();
      });
      await expect(destination.open()).rejects.toThrow(
        `A restore of ${file} into the database was interrupted. Run it again: node dist/server/cli/sims.js restore ${file} --force`,
      );
    } else writeFileSync(path.join(destination.folder, 'sims.db.restoring'), 'half');
    const restored = await run(destination, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    await withDatabase(destination, async ({ read }) => {
      expect(await read.selectFrom('users').select('name').execute()).toEqual([{ name: admin.user.name }]);
    });
    await destination.remove();
  });
});

base('a restore that was interrupted while it set old files aside keeps them together', async () => {
  const database = await sqlite.prepare({ isMade: true });
  await withDatabase(database, async () => {});
  const file = await createBackup(database);
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
});

const onPostgres = postgres.isMissing ? base.skip : base;

onPostgres('a server that has no other connection, or lost its connections, blocks a restore', async () => {
  const database = await postgres.prepare({ isMade: true });
  const app = await TestApp.open(postgres, { database });
  const admin = await app.register();
  const file = await createBackup(database);
  for (const name of ['sims', 'sims%']) {
    await endConnections(database, name);
    await vi.waitUntil(() => isHeld(database), { timeout: 60_000, interval: 20 });
    for (const command of [['restore', file, '--force'], ['reindex']]) {
      const refused = await run(database, ...command);
      expect(refused.lines).toEqual([expect.stringMatching(/in use by another SIMS process/)]);
    }
    expect((await admin.post('/api/students', aStudent())).status).toBe(201);
  }

  // Another process gets the lock that was lost: the server saves nothing that a restore would replace.
  const alone = new pg.Client({ connectionString: database.location });
  await alone.connect();
  let isLocked = false;
  const locking = alone
    .query("select pg_advisory_lock(hashtextextended('sims hold', 0))")
    .then(() => (isLocked = true));
  // The server may acquire its lock again before the other process waits for it.
  await vi.waitUntil(
    async () => {
      if (!isLocked) await endConnections(database, 'sims hold');
      return isLocked;
    },
    { timeout: 60_000, interval: 100 },
  );
  await locking;
  await vi.waitUntil(async () => (await admin.get('/api/students')).status === 503, { timeout: 60_000 });
  expect((await admin.post('/api/students', aStudent())).status).toBe(503);
  await expect(database.open()).rejects.toThrow(
    /^The database is locked by another SIMS process that restores/,
  );
  await alone.end();
  await vi.waitUntil(async () => (await admin.get('/api/students')).status === 200, { timeout: 5_000 });
  await app.close();
  const restored = await run(database, 'restore', file, '--force');
  expect(restored.code, restored.lines.join('\n')).toBe(0);
  expect(readdirSync(settings(database).backup.dir ?? '')).toHaveLength(1);
  await database.remove();
});

onPostgres.for([
  ['perform pg_terminate_backend(pg_backend_pid())', 'the connection to the database was lost'],
  ["raise exception 'No space left on device' using errcode = '53100'", 'No space left on device'],
] as const)(
  'a restore that is interrupted, as by "%s", says so and how to continue',
  async ([act, reason]) => {
    const database = await postgres.prepare({ isMade: true });
    const app = await TestApp.open(postgres, { database });
    const admin = await app.register();
    await app.close();
    const file = await createBackup(database);
    const destination = await postgres.prepare({ isMade: true });
    const client = new pg.Client({ connectionString: destination.location });
    await client.connect();
    await client.query(
      `create function cut() returns trigger language plpgsql as $$begin ${act}; return new; end$$;
     create trigger cut before insert on history for each row execute function cut()`,
    );
    const interrupted = await run(destination, 'restore', file);
    expect([interrupted.code, interrupted.lines.at(-1)]).toEqual([
      1,
      `The restore was interrupted: ${reason}. Run the same command again; until it is done no server starts on the database.`,
    ]);
    await expect(destination.open()).rejects.toThrow(/^A restore of .+ into the database was interrupted\./);
    await client.query('drop function cut cascade');
    await client.end();
    const restored = await run(destination, 'restore', file);
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    await withDatabase(destination, async ({ read }) => {
      expect(await read.selectFrom('users').select('name').execute()).toEqual([{ name: admin.user.name }]);
    });
    await destination.remove();
    await database.remove();
  },
);

async function isHeld(database: TestDatabase): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.location });
  await client.connect();
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'sims hold'",
  );
  await client.end();
  return rowCount === 1;
}
