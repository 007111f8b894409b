import pg from 'pg';
import { test as base, expect, vi } from 'vitest';
import { type Answer, type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { databaseOn, postgres } from '../../../../tests/support/database/engines.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import type { StudentInput } from '../../../contract/students/students.ts';
import { Linker } from '../../history/linker.ts';

interface Fixtures {
  server: PostgresServer;
  standby: PostgresServer;
  admin: Person;
}

/** An application on a server that commits synchronously to a standby. */
const replicated = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  server: async ({}, use) => {
    const server = await PostgresServer.start({ settings: { synchronous_standby_names: '*' } });
    await use(server);
    await server.dispose();
  },
  standby: async ({ server }, use) => {
    const standby = await server.follow();
    await use(standby);
    await standby.dispose();
  },
  // Without the standby, registering would wait for ever.
  admin: async ({ server, standby: _ }, use) => {
    const app = await TestApp.open(postgres, {
      database: databaseOn(server.url(), { statementTimeout: 500 }),
    });
    // Its commits would wait for the standby too.
    await Linker.of(app.db.write)?.stop();
    await use(await app.register());
    await app.close();
  },
});

const test = postgres.isMissing ? replicated.skip : replicated;

/** Runs `act` once a commit waits for the standby. */
async function whileWaiting(server: PostgresServer, act: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: server.url() });
  client.on('error', () => {});
  await client.connect();
  await vi.waitUntil(
    async () => (await client.query(`select ${WAITING} and query = 'commit'`)).rowCount === 1,
    { timeout: 60_000 },
  );
  await act(client);
  await client.end();
}

const WAITING = "pid from pg_stat_activity where wait_event = 'SyncRep'";

/** The test starts two servers and lets waits time out. */
const OPTIONS = { timeout: 300_000 };

test(
  'a change that only one server has is acknowledged neither at first nor on a retry',
  OPTIONS,
  async ({ admin, server, standby }) => {
    const save = (student: StudentInput) =>
      admin.call('POST', '/api/students', { body: student, headers: { 'idempotency-key': student.id } });
    const [first, second] = [aStudent(), aStudent()];
    await standby.stop();

    const cancelled = save(first);
    await whileWaiting(server, (client) => client.query(`select pg_cancel_backend(pid), ${WAITING}`));
    expect(await cancelled).toMatchObject({ status: 503 });

    const unreplicated = save(second);
    await whileWaiting(server, () => server.kill());
    expect(await unreplicated).toMatchObject({ status: 503 });
    // Only this server has the change.
    await server.start();
    await vi.waitUntil(async () => (await admin.get('/api/students')).status === 200, { timeout: 60_000 });
    expect(await save(second)).toMatchObject({ status: 503 });

    await standby.start();
    for (const student of [first, second]) {
      expect(await vi.waitUntil(() => unlessUnavailable(save(student)), { timeout: 60_000 })).toMatchObject({
        status: 201,
        headers: { 'idempotency-replayed': 'true' },
      });
    }
  },
);

const unlessUnavailable = async (answer: Promise<Answer>) =>
  (await answer).status === 503 ? undefined : answer;
