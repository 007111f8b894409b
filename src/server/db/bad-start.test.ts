import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { test as base, describe, expect } from 'vitest';
import { databaseOn, postgres } from '../../../tests/support/engines.ts';
import { PostgresServer } from '../../../tests/support/postgres.ts';
import { unique } from '../../../tests/support/records.ts';
import { Server } from '../../../tests/support/server.ts';

/** A server with one user who needs a password. */
const withServer = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const access = ['host all guarded 127.0.0.1/32 scram-sha-256', 'host all sims 127.0.0.1/32 trust'];
    const server = await PostgresServer.start({ access });
    onCleanup(() => server.dispose());
    await on(server.url(), "create role guarded login superuser password 'right'");
    return server;
  });

const test = postgres.isMissing ? withServer.skip : withServer;

async function on(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

/** What a start that must fail says. */
async function refusal(DATABASE_URL: string): Promise<string> {
  const started = Server.start({ DATABASE_URL });
  const said = await started.then(
    async (server) => {
      await server.dispose();
      return 'It started.';
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const [head, line, ...rest] = said.trimEnd().split('\n');
  expect([head, rest]).toEqual(['The server ended with 1 before it was ready.', []]);
  expect(line).not.toContain('secret');
  return line ?? '';
}

const everything = `select table_name, column_name from information_schema.columns
  where table_schema = 'public' order by 1, 2`;

describe('a start on a server says in one line why it can’t be', () => {
  test.for<[string, (url: (database?: string) => URL) => URL, RegExp]>([
    [
      'the password is wrong',
      (url) => Object.assign(url(), { username: 'guarded', password: 'secret' }),
      /^The database can't be used: password authentication failed for user "guarded"$/,
    ],
    [
      'the user is unknown',
      (url) => Object.assign(url(), { username: 'nobody', password: 'secret' }),
      /^The database can't be used: no pg_hba.conf entry for host "127.0.0.1", user "nobody"/,
    ],
    [
      'there is no such database',
      (url) => url('nowhere'),
      /^The database can't be used: database "nowhere" does not exist$/,
    ],
    [
      'no database is named',
      (url) => Object.assign(url(), { pathname: '/', password: 'secret' }),
      /^DATABASE_URL must name a database: postgres:\/\//,
    ],
    [
      'nothing listens there',
      (url) => Object.assign(url(), { port: '1', password: 'secret' }),
      /^The database can't be used: connect ECONNREFUSED 127.0.0.1:1$/,
    ],
    [
      'there is no such host',
      (url) => Object.assign(url(), { hostname: 'no-such-host.invalid', password: 'secret' }),
      /^The database can't be used: getaddrinfo \w+ no-such-host.invalid$/,
    ],
  ])('%s', async ([, change, expected], { server }) => {
    const line = await refusal(change((database) => new URL(server.url(database))).href);
    expect(line).toMatch(expected);
  });

  test('nobody answers there', async ({ server: _ }) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const line = await refusal(`postgres://sims:secret@127.0.0.1:${port}/sims`);
    expect(line).toBe(`The database can't be used: no answer from 127.0.0.1:${port} in 5 seconds`);
    silent.close();
  });

  test('another program has the names of its tables, which stay as they are', async ({ server }) => {
    await on(server.url(), 'create database shared');
    await on(server.url('shared'), 'create table students (id int); create table lessons (id int)');
    const before = await on(server.url('shared'), everything);
    expect(await refusal(server.url('shared'))).toMatch(
      /^The database has tables that another program made: students\. /,
    );
    await on(server.url('shared'), 'drop table students; create table schema_versions (checksum text)');
    expect(await refusal(server.url('shared'))).toMatch(/another program made: schema_versions\. /);
    expect(before).toEqual([
      { table_name: 'lessons', column_name: 'id' },
      { table_name: 'students', column_name: 'id' },
    ]);
    expect(await on(server.url('shared'), everything)).toEqual([
      { table_name: 'lessons', column_name: 'id' },
      { table_name: 'schema_versions', column_name: 'checksum' },
    ]);
    await on(server.url('shared'), 'drop table schema_versions');
    // What is called otherwise is in nobody's way.
    await (await databaseOn(server.url('shared')).open()).close();
  });

  test.for([
    ['view users', 'as select 1 as id', 'users (view)'],
    ['materialized view schema_versions', 'as select 1 as version', 'schema_versions (view)'],
    ['sequence courses', '', 'courses (sequence)'],
    ['type semesters', "as enum ('first')", 'semesters (type)'],
    [
      'function history_is_append_only()',
      "returns int language sql as 'select 1'",
      'history_is_append_only (function)',
    ],
  ] as const)('another program’s %s is in the way', async ([what, how, named], { server }) => {
    const name = `sharing_${unique().toLowerCase()}`;
    await on(server.url(), `create database ${name}`);
    // In the way of no table.
    await on(server.url(name), "create function students() returns int language sql as 'select 1'");
    await on(server.url(name), `create ${what} ${how}`);
    await expect(databaseOn(server.url(name)).open()).rejects.toThrow(
      `The database has tables that another program made: ${named}. SIMS needs a database of its own`,
    );
    await on(server.url(name), `drop ${what}`);
    await (await databaseOn(server.url(name)).open()).close();
  });

  test('a newer program has changed it, and it stays as it is', async ({ server }) => {
    await on(server.url(), 'create database newer');
    await (await databaseOn(server.url('newer')).open()).close();
    await on(server.url('newer'), "insert into schema_versions values (999, '999-later', '2099-01-01')");
    const before = await on(server.url('newer'), everything);
    expect(await refusal(server.url('newer'))).toMatch(
      /^The database has schema version 999, .+: start a newer SIMS\.$/,
    );
    expect(await on(server.url('newer'), everything)).toEqual(before);
  });

  test('its texts are not in UTF-8', async ({ server }) => {
    await on(server.url(), "create database latin encoding 'LATIN1' template template0");
    expect(await refusal(server.url('latin'))).toBe('The database must be encoded in UTF-8.');
  });
});
