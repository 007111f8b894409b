import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { type Answer, type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { databaseOn, postgres } from '../../../../tests/support/database/engines.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import { Linker } from '../../history/linker.ts';

/** Few enough that some calls have to wait for a connection. */
const CONNECTIONS = 3;
const WAITING_READS = 4;
/** Half the timeout of statements, and more than twice the time to detect a lost connection. */
const SOON = { timeout: 7_500 };

interface Fixtures {
  server: PostgresServer;
  app: TestApp;
  admin: Person;
}

/** An application on a server of its own, which the test may stop. */
const onOwnServer = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await PostgresServer.start();
    onCleanup(() => server.dispose());
    return server;
  })
  .extend('app', { scope: 'file' }, async ({ server }, { onCleanup }) => {
    const database = databaseOn(server.url(), { connections: CONNECTIONS });
    const app = await TestApp.open(postgres, { database });
    // It would take one of the connections now and then.
    await Linker.of(app.db.write)?.stop();
    onCleanup(() => app.close());
    return app;
  })
  .extend('admin', { scope: 'file' }, ({ app }) => app.register());

const test = postgres.isMissing ? onOwnServer.skip : onOwnServer;

/** Calls that wait for a connection. */
async function countWaiting({ db }: TestApp): Promise<number> {
  const state = await db.state();
  return state.engine === 'postgresql' ? state.waiting : 0;
}

/** Starts writes that wait for a locked table, and reads that wait for a connection. */
async function startWaitingCalls({
  app,
  server,
  admin,
}: Fixtures): Promise<{ calls: Promise<Answer>[]; lockHolder: pg.Client }> {
  const lockHolder = new pg.Client({ connectionString: server.url() });
  lockHolder.on('error', () => {});
  await lockHolder.connect();
  await lockHolder.query('begin; lock table history');
  const saves = Array.from({ length: CONNECTIONS }, () => admin.post('/api/students', aStudent()));
  await vi.waitUntil(async () => {
    const blocked = await lockHolder.query('select 1 from pg_locks where not granted');
    return blocked.rowCount === CONNECTIONS;
  }, SOON);
  const reads = Array.from({ length: WAITING_READS }, () => admin.get('/api/students'));
  await vi.waitUntil(async () => (await countWaiting(app)) === reads.length, SOON);
  return { calls: [...saves, ...reads], lockHolder };
}

/** Executes a statement as the server's administrator, connected to another database. */
async function executeFromOtherDatabase(server: PostgresServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('template1') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Expects every call to be answered in time with 503 and a Retry-After header. */
async function expectUnavailable(calls: readonly Promise<Answer>[]): Promise<void> {
  const late = setTimeout(SOON.timeout, 'nothing' as const, { ref: false });
  const answers = await Promise.all(calls.map((one) => Promise.race([one, late])));
  expect(answers.map((answer) => (answer === 'nothing' ? answer : answer.status))).toEqual(
    calls.map(() => 503),
  );
  for (const answer of answers) expect(answer).toHaveProperty('headers.retry-after');
}

async function expectRecovered({ app, admin }: Pick<Fixtures, 'app' | 'admin'>): Promise<void> {
  await vi.waitUntil(async () => (await app.call('GET', '/api/health')).status === 200, { timeout: 10_000 });
  const student = aStudent();
  const answers = await Promise.all([
    admin.post('/api/students', student),
    ...Array.from({ length: 9 }, () => admin.get('/api/students')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, ...Array.from({ length: 9 }, () => 200)]);
}

describe('a database server', () => {
  test.for<
    [
      string,
      (server: PostgresServer) => void | Promise<void>,
      (server: PostgresServer) => void | Promise<void>,
    ]
  >([
    ['is killed', (server) => server.kill(), (server) => server.start()],
    ['is stopped', (server) => server.stop(), (server) => server.start()],
    ['stops responding', (server) => server.hang(), (server) => server.resume()],
    [
      'refuses connections',
      async (server) => {
        await executeFromOtherDatabase(server, 'alter database postgres allow_connections false');
        await executeFromOtherDatabase(
          server,
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'",
        );
      },
      (server) => executeFromOtherDatabase(server, 'alter database postgres allow_connections true'),
    ],
  ])(
    'that %s makes calls answer 503 until it is available again',
    async ([, fail, recover], { server, app, admin }) => {
      const { calls, lockHolder } = await startWaitingCalls({ server, app, admin });
      await fail(server);
      await expectUnavailable(calls);
      await expectUnavailable([
        admin.get('/api/students'),
        admin.post('/api/students', aStudent()),
        app.call('GET', '/api/health'),
      ]);
      await recover(server);
      await lockHolder.end();
      await expectRecovered({ app, admin });
    },
  );

  test('is healthy while calls that wait for it have taken all connections, also when it has just ended that of the lock', async ({
    server,
    app,
    admin,
  }) => {
    const { calls, lockHolder } = await startWaitingCalls({ server, app, admin });
    await lockHolder.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sims hold'",
    );
    const health = await app.call('GET', '/api/health');
    expect({ status: health.status, waiting: await countWaiting(app) }).toEqual({
      status: 200,
      waiting: WAITING_READS,
    });
    await lockHolder.end();
    await Promise.all(calls);
    await expectRecovered({ app, admin });
  });

  test('may close idle connections', async ({ server, app, admin }) => {
    await expectRecovered({ app, admin });
    const client = new pg.Client({ connectionString: server.url() });
    await client.connect();
    const ended = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sims'",
    );
    expect(ended.rowCount).toBe(CONNECTIONS);
    await vi.waitUntil(async () => {
      const state = await app.db.state();
      return state.engine === 'postgresql' && state.idle === 0;
    }, SOON);
    await client.end();
    await expectRecovered({ app, admin });
  });
});
