import { sql } from 'kysely';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { TestApp } from '../../../../tests/support/app/test-app.ts';
import { databaseOn, postgres } from '../../../../tests/support/database/engines.ts';
import { PgBouncer, pgBouncer } from '../../../../tests/support/database/pgbouncer.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { Server } from '../../../../tests/support/processes/server.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import { acquireServerLock } from './open-postgres.ts';
import { requireOwnSession, SessionError } from './session.ts';

/** A server that forgets commits in a crash by default, and has no limits of time. */
const withServer = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await PostgresServer.start({ settings: { synchronous_commit: 'off' } });
    onCleanup(() => server.dispose());
    return server;
  });

const test = postgres.isMissing || pgBouncer() === undefined ? withServer.skip : withServer;

const remedyFor = (address: string) =>
  `The database can't be used: its connections are shared between transactions. A pooler in between must leave each connection its own session (PgBouncer: pool_mode = session), or ${address} must lead to the server itself.`;
const REMEDY = remedyFor('DATABASE_URL');

describe('a pooler in front of the database', () => {
  test('with a session for each connection has all that SIMS needs of it', async ({
    server,
    onTestFinished,
  }) => {
    const pooler = await PgBouncer.start(server, 'session');
    onTestFinished(() => pooler.stop());
    const app = await TestApp.open(postgres, { database: databaseOn(pooler.url(), { connections: 4 }) });
    onTestFinished(() => app.close());
    const admin = await app.register();
    const students = Array.from({ length: 12 }, () => admin.post('/api/students', aStudent()));
    expect((await Promise.all(students)).map(({ status }) => status)).toEqual(students.map(() => 201));
    const read = () =>
      sql`select current_setting('synchronous_commit') as commit,
      current_setting('jit') as jit, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle, pg_sleep(0.1)::text as slept`.execute(
        app.db.read,
      );
    for (const { rows } of await Promise.all([read(), read(), read(), read()]))
      expect(rows).toEqual([{ commit: 'on', jit: 'off', statement: '15s', idle: '5s', slept: '' }]);

    // The lock of a restore is kept by the session of its connection, too.
    await expect(acquireServerLock(pooler.url(), 'The target')).rejects.toThrow(
      'in use by another SIMS process',
    );
  });

  test.for([
    ['transaction', {}],
    ['transaction', { server_round_robin: '1' }],
    ['transaction', { default_pool_size: '1' }],
    ['statement', {}],
  ] as const)(
    'that shares them per %s, with %o, is refused at the start',
    async ([mode, settings], { server, onTestFinished }) => {
      const pooler = await PgBouncer.start(server, mode, settings);
      onTestFinished(() => pooler.stop());
      await expect(databaseOn(pooler.url()).open()).rejects.toThrow(REMEDY);
      // With connections to the server that are idle in the pooler.
      await expect(databaseOn(pooler.url()).open()).rejects.toThrow(REMEDY);
    },
  );

  test('that shares them makes the process end with 1, and say what to do', async ({
    server,
    onTestFinished,
  }) => {
    const pooler = await PgBouncer.start(server, 'transaction');
    onTestFinished(() => pooler.stop());
    const start = Server.start({ DATABASE_URL: pooler.url(), LOG_LEVEL: 'silent' });
    await expect(start).rejects.toThrow(`The server ended with 1 before it was ready.\n${REMEDY}`);
  });

  test('that shares those to a replica is refused, whether at the start or when it comes later', async ({
    server,
    onTestFinished,
  }) => {
    const replica = await server.follow();
    onTestFinished(() => replica.dispose());
    const pooler = await PgBouncer.start(replica, 'transaction');
    onTestFinished(() => pooler.stop());
    const messages: string[] = [];
    const options = { readUrl: pooler.url(), log: (what: string) => messages.push(what) };
    await expect(databaseOn(server.url(), options).open()).rejects.toThrow(remedyFor('DATABASE_READ_URL'));

    await replica.stop();
    const database = await databaseOn(server.url(), options).open();
    onTestFinished(() => database.close());
    messages.length = 0;
    await replica.start();
    await vi.waitUntil(() => messages.some((line) => line.includes('DATABASE_READ_URL')), {
      timeout: 60_000,
    });
    expect(await database.state()).toMatchObject({ replica: { serves: false } });
  });

  test('is told apart from a server that ends a connection', async ({ server, onTestFinished }) => {
    const [client, other] = [0, 1].map(() => new pg.Client({ connectionString: server.url() }));
    if (client === undefined || other === undefined) throw new Error('There are two.');
    for (const one of [client, other]) {
      one.on('error', () => {});
      await one.connect();
      onTestFinished(() => one.end());
    }
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await expect(requireOwnSession(client, [other], 'DATABASE_URL')).rejects.not.toBeInstanceOf(SessionError);
  });
});
