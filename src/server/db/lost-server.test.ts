import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { type Answer, type Person, TestApp } from '../../../tests/support/app.ts';
import { databaseOn, postgres } from '../../../tests/support/engines.ts';
import { PostgresServer } from '../../../tests/support/postgres.ts';
import { aStudent } from '../../../tests/support/records.ts';

/** Few, so that some callers have to wait for one. */
const CONNECTIONS = 3;
/** Half the time of a statement, and more than twice what it takes to find out. */
const SOON = { timeout: 7_500 };

interface Fixtures {
  server: PostgresServer;
  app: TestApp;
  admin: Person;
}

/** An application on a server of its own, which the test may do anything to. */
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
    onCleanup(() => app.close());
    return app;
  })
  .extend('admin', { scope: 'file' }, ({ app }) => app.register());

const test = postgres.isMissing ? onOwnServer.skip : onOwnServer;

/** Saves that wait for a table which somebody holds, and reads that wait for a connection. */
async function waiting({
  app,
  server,
  admin,
}: Fixtures): Promise<{ asked: Promise<Answer>[]; holder: pg.Client }> {
  const holder = new pg.Client({ connectionString: server.url() });
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin; lock table history');
  const saves = Array.from({ length: CONNECTIONS }, () => admin.post('/api/students', aStudent()));
  await vi.waitUntil(async () => {
    const blocked = await holder.query('select 1 from pg_locks where not granted');
    return blocked.rowCount === CONNECTIONS;
  }, SOON);
  const reads = Array.from({ length: 4 }, () => admin.get('/api/students'));
  await vi.waitUntil(async () => {
    const state = await app.db.state();
    return state.engine === 'postgresql' && state.waiting === reads.length;
  }, SOON);
  return { asked: [...saves, ...reads], holder };
}

/** Done by the server's administrator, who is let in through another database. */
async function fromBeside(server: PostgresServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('template1') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Everybody is told in time that it did not work, and when to come again. */
async function expectTold(asked: readonly Promise<Answer>[]): Promise<void> {
  const late = setTimeout(SOON.timeout, 'nothing' as const, { ref: false });
  const told = await Promise.all(asked.map((one) => Promise.race([one, late])));
  expect(told.map((answer) => (answer === 'nothing' ? answer : answer.status))).toEqual(asked.map(() => 503));
  for (const answer of told) expect(answer).toHaveProperty('headers.retry-after');
}

async function expectHealed({ app, admin }: Pick<Fixtures, 'app' | 'admin'>): Promise<void> {
  await vi.waitUntil(async () => (await app.call('GET', '/api/health')).status === 200, { timeout: 10_000 });
  const student = aStudent();
  const answers = await Promise.all([
    admin.post('/api/students', student),
    ...Array.from({ length: 9 }, () => admin.get('/api/students')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, ...Array.from({ length: 9 }, () => 200)]);
}

describe('a server', () => {
  test.for<
    [
      string,
      (server: PostgresServer) => void | Promise<void>,
      (server: PostgresServer) => void | Promise<void>,
    ]
  >([
    ['is killed', (server) => server.kill(), (server) => server.start()],
    ['is stopped', (server) => server.stop(), (server) => server.start()],
    ['says nothing any more', (server) => server.hang(), (server) => server.resume()],
    [
      'lets nobody in any more',
      async (server) => {
        await fromBeside(server, 'alter database postgres allow_connections false');
        await fromBeside(
          server,
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'",
        );
      },
      (server) => fromBeside(server, 'alter database postgres allow_connections true'),
    ],
  ])(
    'that %s is told of, and gone on with when it is back',
    async ([, goAway, comeBack], { server, app, admin }) => {
      const { asked, holder } = await waiting({ server, app, admin });
      await goAway(server);
      await expectTold(asked);
      await expectTold([
        admin.get('/api/students'),
        admin.post('/api/students', aStudent()),
        app.call('GET', '/api/health'),
      ]);
      await comeBack(server);
      await holder.end();
      await expectHealed({ app, admin });
    },
  );

  test('may end connections that nobody uses', async ({ server, app, admin }) => {
    await expectHealed({ app, admin });
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
    await expectHealed({ app, admin });
  });

  test('that takes its time over a statement is left to it', async ({ app }) => {
    const { rows } = await sql`select pg_sleep(3), 1 as done`.execute(app.db.read);
    expect(rows).toMatchObject([{ done: 1 }]);
  });
});
