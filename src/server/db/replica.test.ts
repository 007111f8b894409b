import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { type Person, TestApp } from '../../../tests/support/app.ts';
import { parseCsv } from '../../../tests/support/csv.ts';
import { databaseOn, postgres } from '../../../tests/support/engines.ts';
import { PostgresServer } from '../../../tests/support/postgres.ts';
import { aStudent, unique } from '../../../tests/support/records.ts';
import { openPostgres } from './postgres.ts';

const SOON = { timeout: 20_000 };
const TOKEN = 'a-token-of-the-collector-of-measurements';
const SERVES = 'the read replica serves lists, exports and insights';

/** An application whose lists come from a server that follows its own. */
const withReplica = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('primary', { scope: 'file' }, async ({}, { onCleanup }) => {
    const primary = await PostgresServer.start();
    onCleanup(() => primary.dispose());
    return primary;
  })
  .extend('replica', { scope: 'file' }, async ({ primary }, { onCleanup }) => {
    const replica = await primary.follow();
    onCleanup(() => replica.dispose());
    return replica;
  })
  .extend('told', { scope: 'file' }, (): string[] => [])
  .extend('open', { scope: 'file' }, async ({ primary, replica, told }, { onCleanup }) => {
    const apps: TestApp[] = [];
    onCleanup(async () => {
      for (const app of apps) await app.close();
    });
    return async () => {
      const before = told.length;
      const options = { readUrl: replica.url(), log: (what: string) => told.push(what) };
      const database = databaseOn(primary.url(), options);
      const app = await TestApp.open(postgres, { database, metricsToken: TOKEN });
      apps.push(app);
      await vi.waitUntil(() => told.slice(before).includes(SERVES), SOON);
      return app;
    };
  })
  .extend('app', { scope: 'file' }, ({ open }) => open())
  .extend('admin', { scope: 'file' }, ({ app }) => app.register());

const test = postgres.isMissing ? withReplica.skip : withReplica;

async function on(server: PostgresServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** How many students of a class somebody is told of, by each call that may be a moment old. */
async function seenBy(person: Person, degree: string): Promise<number[]> {
  const list = await person.get(`/api/students?degree=${degree}`);
  const all = await person.get('/api');
  const file = await person.get(`/api/exports/students.csv?degree=${degree}`);
  const sizes = await person.get('/api/insights/class-sizes');
  expect([list.status, all.status, file.status, sizes.status]).toEqual([200, 200, 200, 200]);
  const { total } = list.body as { total: number };
  const students = (all.body as { degree: string }[]).filter((one) => one.degree === degree);
  return [total, students.length, parseCsv(file.text).length - 1];
}

/** What a collector of measurements is told, by name. */
async function measured(app: TestApp): Promise<Map<string, number>> {
  const { text } = await app.call('GET', '/metrics', { token: TOKEN });
  const lines = text.matchAll(/^(sims_replica_\S+) (\S+)$/gm);
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

const pause = (replica: PostgresServer) => on(replica, 'select pg_wal_replay_pause()');
const resume = (replica: PostgresServer) => on(replica, 'select pg_wal_replay_resume()');
const enter = async (person: Person, degree: string) =>
  expect((await person.post('/api/students', aStudent({ degree }))).status).toBe(201);

describe('a server that follows', () => {
  test('serves lists, but not to whoever has written what it does not have, whichever process they ask', async ({
    app,
    open,
    admin: reader,
    replica,
  }) => {
    const writer = await app.register();
    const degree = unique();
    await pause(replica);
    await enter(writer, degree);
    expect(await seenBy(reader, degree)).toEqual([0, 0, 0]);
    expect(await seenBy(writer, degree)).toEqual([1, 1, 1]);
    const other = await open();
    const list = await other.call('GET', `/api/students?degree=${degree}`, { token: writer.token });
    expect(list.body).toMatchObject({ total: 1 });
    // A session of its own knows nothing of it.
    const elsewhere = await app.signIn(writer);
    expect(await seenBy(elsewhere, degree)).toEqual([0, 0, 0]);

    await resume(replica);
    await vi.waitUntil(async () => (await seenBy(reader, degree))[0] === 1, SOON);
    // It has caught up, and serves the writer again.
    await pause(replica);
    await enter(reader, degree);
    expect(await seenBy(writer, degree)).toEqual([1, 1, 1]);
    expect(await seenBy(reader, degree)).toEqual([2, 2, 2]);
    await resume(replica);
  });

  test('is done without while it is away or stands still', async ({ admin, replica, told }) => {
    const degree = unique();
    await enter(admin, degree);
    for (const [goAway, comeBack] of [
      [() => replica.stop(), () => replica.start()],
      [() => replica.hang(), () => replica.resume()],
    ] as const) {
      told.length = 0;
      await goAway();
      expect(await seenBy(admin, degree)).toEqual([1, 1, 1]);
      await vi.waitUntil(() => told.some((line) => line.startsWith('the read replica is not asked')), SOON);
      expect(await seenBy(admin, degree)).toEqual([1, 1, 1]);
      await comeBack();
      await vi.waitUntil(() => told.includes(SERVES), SOON);
    }
  });

  test('is done without while it is far behind', async ({ app, admin, replica, told }) => {
    const degree = unique();
    const writer = await app.register();
    told.length = 0;
    await pause(replica);
    await enter(writer, degree);
    // A busy machine may say before that it does not answer.
    await expect.poll(() => seenBy(admin, degree), SOON).toEqual([0, 0, 0]);
    const FAR = 'the read replica is not asked, the primary serves: it is far behind';
    await vi.waitUntil(() => told.includes(FAR), SOON);
    // Another process may have found it a moment before this one.
    const serves = async () => (await measured(app)).get('sims_replica_serves');
    await expect.poll(serves, SOON).toBe(0);
    expect(await seenBy(admin, degree)).toEqual([1, 1, 1]);
    const behind = await measured(app);
    expect(behind.get('sims_replica_behind_seconds')).toBeGreaterThan(10);
    await resume(replica);
    await expect.poll(serves, SOON).toBe(1);
    expect(told).toContain(SERVES);
    const serving = await measured(app);
    expect(serving.get('sims_replica_behind_seconds')).toBeLessThan(10);
    expect(serving.get('sims_replica_connections{state="idle"}')).toBeGreaterThan(0);
    expect(serving.get('sims_replica_waiting')).toBe(0);
  });

  test('is not taken for one that can be written to, nor any other server for it', async ({
    primary,
    replica,
  }) => {
    await expect(openPostgres(replica.url())).rejects.toThrow(
      "The database can't be used: the server is a replica, which can only be read",
    );
    const told: string[] = [];
    const log = (what: string) => told.push(what);
    const db = await openPostgres(primary.url(), { readUrl: primary.url(), log });
    await expect(db.readAfter(null)).resolves.toBe(db.read);
    await db.close();
    // Another database of the server that follows: what it holds may be anybody's.
    await on(primary, 'create database another');
    await vi.waitUntil(async () => {
      const client = new pg.Client({ connectionString: replica.url('another') });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    }, SOON);
    const wrong = await openPostgres(primary.url(), { readUrl: replica.url('another'), log });
    await wrong.close();
    expect(told).toEqual([
      'the read replica is not asked, the primary serves: it does not follow the primary',
      'the read replica is not asked, the primary serves: its address names another database',
    ]);
  });

  test('is told of when it can’t be asked from the start, once', async ({ primary }) => {
    const told: string[] = [];
    const nowhere = 'postgres://sims@127.0.0.1:1/postgres';
    const db = await openPostgres(primary.url(), { readUrl: nowhere, log: (what) => told.push(what) });
    // Two more looks find the same.
    await setTimeout(2_500);
    await db.close();
    expect(told).toEqual([
      'the read replica is not asked, the primary serves: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });
});
