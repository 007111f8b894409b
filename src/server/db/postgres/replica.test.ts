import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { parseCsv } from '../../../../tests/support/csv.ts';
import { databaseOn, postgres } from '../../../../tests/support/database/engines.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { aStudent, unique } from '../../../../tests/support/records.ts';
import { openPostgres } from './open-postgres.ts';

const SOON = { timeout: 60_000 };
const TOKEN = 'a-token-of-the-collector-of-measurements';
const SERVES = 'the read replica serves lists, exports and insights';

/** An application that reads lists from a replica. */
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
  .extend('messages', { scope: 'file' }, (): string[] => [])
  .extend('open', { scope: 'file' }, async ({ primary, replica, messages }, { onCleanup }) => {
    const apps: TestApp[] = [];
    onCleanup(async () => {
      for (const app of apps) await app.close();
    });
    return async () => {
      const before = messages.length;
      const options = { readUrl: replica.url(), log: (what: string) => messages.push(what) };
      const database = databaseOn(primary.url(), options);
      const app = await TestApp.open(postgres, { database, metricsToken: TOKEN });
      apps.push(app);
      await vi.waitUntil(() => messages.slice(before).includes(SERVES), SOON);
      return app;
    };
  })
  .extend('app', { scope: 'file' }, ({ open }) => open())
  .extend('admin', { scope: 'file' }, ({ app }) => app.register());

const test = postgres.isMissing ? withReplica.skip : withReplica;

async function execute(server: PostgresServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The number of students of a class in each reply that may come from the replica. */
async function countStudents(person: Person, degree: string): Promise<number[]> {
  const list = await person.get(`/api/students?degree=${degree}`);
  const all = await person.get('/api');
  const file = await person.get(`/api/exports/students.csv?degree=${degree}`);
  const sizes = await person.get('/api/insights/class-sizes');
  expect([list.status, all.status, file.status, sizes.status]).toEqual([200, 200, 200, 200]);
  const { total } = list.body as { total: number };
  const students = (all.body as { degree: string }[]).filter((one) => one.degree === degree);
  return [total, students.length, parseCsv(file.text).length - 1];
}

/** The metrics about the replica, by name. */
async function readMetrics(app: TestApp): Promise<Map<string, number>> {
  const { text } = await app.call('GET', '/metrics', { token: TOKEN });
  const lines = text.matchAll(/^(sims_replica_\S+) (\S+)$/gm);
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

const pause = (replica: PostgresServer) => execute(replica, 'select pg_wal_replay_pause()');
const resume = (replica: PostgresServer) => execute(replica, 'select pg_wal_replay_resume()');
const createStudent = async (person: Person, degree: string) =>
  expect((await person.post('/api/students', aStudent({ degree }))).status).toBe(201);

describe('a read replica', () => {
  test('serves lists, except to people whose changes it lacks, in any process', async ({
    app,
    open,
    admin: reader,
    replica,
  }) => {
    const writer = await app.register();
    const degree = unique();
    await pause(replica);
    await createStudent(writer, degree);
    expect(await countStudents(reader, degree)).toEqual([0, 0, 0]);
    expect(await countStudents(writer, degree)).toEqual([1, 1, 1]);
    const other = await open();
    const list = await other.call('GET', `/api/students?degree=${degree}`, { token: writer.token });
    expect(list.body).toMatchObject({ total: 1 });
    // Another session of the same person may get older data.
    const elsewhere = await app.signIn(writer);
    expect(await countStudents(elsewhere, degree)).toEqual([0, 0, 0]);

    await resume(replica);
    await vi.waitUntil(async () => (await countStudents(reader, degree))[0] === 1, SOON);
    // The replica has caught up and serves the writer again.
    await pause(replica);
    await createStudent(reader, degree);
    expect(await countStudents(writer, degree)).toEqual([1, 1, 1]);
    expect(await countStudents(reader, degree)).toEqual([2, 2, 2]);
    await resume(replica);
  });

  test('is not used while it is stopped or suspended', async ({ admin, replica, messages }) => {
    const degree = unique();
    await createStudent(admin, degree);
    for (const [fail, recover] of [
      [() => replica.stop(), () => replica.start()],
      [() => replica.hang(), () => replica.resume()],
    ] as const) {
      messages.length = 0;
      await fail();
      expect(await countStudents(admin, degree)).toEqual([1, 1, 1]);
      await vi.waitUntil(
        () => messages.some((line) => line.startsWith('the read replica is not used')),
        SOON,
      );
      expect(await countStudents(admin, degree)).toEqual([1, 1, 1]);
      await recover();
      await vi.waitUntil(() => messages.includes(SERVES), SOON);
    }
  });

  test('is not used while it is far behind', async ({ app, admin, replica, messages }) => {
    const degree = unique();
    const writer = await app.register();
    messages.length = 0;
    await pause(replica);
    await createStudent(writer, degree);
    // On a busy machine the replica may first be reported as not answering.
    await expect.poll(() => countStudents(admin, degree), SOON).toEqual([0, 0, 0]);
    const FAR = 'the read replica is not used, the primary serves: it is far behind';
    await vi.waitUntil(() => messages.includes(FAR), SOON);
    // The other application may have reported it a moment before this one.
    const serves = async () => (await readMetrics(app)).get('sims_replica_serves');
    await expect.poll(serves, SOON).toBe(0);
    expect(await countStudents(admin, degree)).toEqual([1, 1, 1]);
    const behind = await readMetrics(app);
    expect(behind.get('sims_replica_behind_seconds')).toBeGreaterThan(10);
    await resume(replica);
    await expect.poll(serves, SOON).toBe(1);
    expect(messages).toContain(SERVES);
    const serving = await readMetrics(app);
    expect(serving.get('sims_replica_behind_seconds')).toBeLessThan(10);
    expect(serving.get('sims_replica_connections{state="idle"}')).toBeGreaterThan(0);
    expect(serving.get('sims_replica_waiting')).toBe(0);
  });

  test('is not accepted as the primary, and no other database is accepted as the replica', async ({
    primary,
    replica,
  }) => {
    await expect(openPostgres(replica.url())).rejects.toThrow(
      "The database can't be used: the server is a replica, which can only be read",
    );
    const messages: string[] = [];
    const log = (what: string) => messages.push(what);
    const db = await openPostgres(primary.url(), { readUrl: primary.url(), log });
    await expect(db.readAfter(null)).resolves.toBe(db.read);
    await db.close();
    // Another database on the replica server, with unrelated data.
    await execute(primary, 'create database another');
    await vi.waitUntil(async () => {
      const client = new pg.Client({ connectionString: replica.url('another') });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    }, SOON);
    const wrong = await openPostgres(primary.url(), { readUrl: replica.url('another'), log });
    await wrong.close();
    expect(messages).toEqual([
      'the read replica is not used, the primary serves: it does not follow the primary',
      'the read replica is not used, the primary serves: its address names another database',
    ]);
  });

  test('is reported once when it is unreachable from the start', async ({ primary }) => {
    let attempts = 0;
    const closing = createServer((socket) => {
      attempts += 1;
      socket.resume().end();
    });
    await once(closing.listen(0, '127.0.0.1'), 'listening');
    const { port } = closing.address() as AddressInfo;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
      closing.close();
    });
    const messages: string[] = [];
    const readUrl = `postgres://sims@127.0.0.1:${port}/postgres`;
    const db = await openPostgres(primary.url(), { readUrl, log: (what) => messages.push(what) });
    for (const count of [2, 3]) {
      await vi.waitUntil(() => {
        vi.advanceTimersByTime(1_000);
        return attempts >= count;
      }, SOON);
    }
    await db.close();
    expect(messages).toEqual([
      'the read replica is not used, the primary serves: Connection terminated unexpectedly',
    ]);
  });
});
