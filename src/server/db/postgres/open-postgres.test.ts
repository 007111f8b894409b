import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { test as base, describe, expect } from 'vitest';
import { databaseOn, postgres } from '../../../../tests/support/database/engines.ts';
import { PostgresServer } from '../../../../tests/support/database/postgres.ts';
import { Server } from '../../../../tests/support/processes/server.ts';
import { unique } from '../../../../tests/support/records.ts';
import { readSettings, SettingsError } from '../../settings/settings.ts';
import { StartError } from '../../start-error.ts';

/** A server with one user who needs a password. */
const withServer = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const access = ['host all guarded 127.0.0.1/32 scram-sha-256', 'host all sims 127.0.0.1/32 trust'];
    const server = await PostgresServer.start({ access });
    onCleanup(() => server.dispose());
    await execute(server.url(), "create role guarded login superuser password 'right'");
    return server;
  });

const test = postgres.isMissing ? withServer.skip : withServer;

async function execute(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

/** The output of a process whose start must fail. */
async function getOutput(DATABASE_URL: string): Promise<string> {
  const started = Server.start({ DATABASE_URL, LOG_LEVEL: 'silent' });
  const output = await started.then(
    async (server) => {
      await server.dispose();
      return 'It started.';
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const [head, line, ...rest] = output.trimEnd().split('\n');
  expect([head, rest]).toEqual(['The server ended with 1 before it was ready.', []]);
  expect(line).not.toContain('secret');
  return line ?? '';
}

/** The error message of a start that must fail, of which a process prints nothing else. */
async function getStartError(DATABASE_URL: string): Promise<string> {
  try {
    const { databaseUrl = '' } = readSettings({ DATABASE_URL });
    await (await databaseOn(databaseUrl).open()).close();
  } catch (error) {
    if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
    expect(error.message).not.toMatch(/secret|\n/);
    return error.message;
  }
  return 'It started.';
}

const everything = `select table_name, column_name from information_schema.columns
  where table_schema = 'public' order by 1, 2`;

describe('a start that fails reports in one line that', () => {
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
      'it has no encrypted connections, which were asked for',
      (url) => Object.assign(url(), { search: '?sslmode=verify-full' }),
      /^The database can't be used: 127.0.0.1 has no encrypted connections\..* put sslmode=disable at the end of DATABASE_URL/,
    ],
    [
      'there is no such host',
      (url) => Object.assign(url(), { hostname: 'no-such-host.invalid', password: 'secret' }),
      /^The database can't be used: getaddrinfo \w+ no-such-host.invalid$/,
    ],
  ])('%s', async ([, change, expected], { server }) => {
    const line = await getStartError(change((database) => new URL(server.url(database))).href);
    expect(line).toMatch(expected);
  });

  test('the process prints before it ends with 1', async ({ server }) => {
    const url = Object.assign(new URL(server.url()), { username: 'guarded', password: 'secret' }).href;
    expect(await getOutput(url)).toBe(await getStartError(url));
  });

  test('the server does not answer', async ({ server: _ }) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const line = await getStartError(`postgres://sims:secret@127.0.0.1:${port}/sims`);
    expect(line).toBe(`The database can't be used: no answer from 127.0.0.1:${port} in 5 seconds`);
    silent.close();
  });

  test('another program’s tables have the same names, and leaves them unchanged', async ({ server }) => {
    await execute(server.url(), 'create database shared');
    await execute(server.url('shared'), 'create table students (id int); create table lessons (id int)');
    const before = await execute(server.url('shared'), everything);
    expect(await getStartError(server.url('shared'))).toMatch(
      /^The database has tables that another program made: students\. /,
    );
    await execute(server.url('shared'), 'drop table students; create table schema_versions (checksum text)');
    expect(await getStartError(server.url('shared'))).toMatch(/another program made: schema_versions\. /);
    expect(before).toEqual([
      { table_name: 'lessons', column_name: 'id' },
      { table_name: 'students', column_name: 'id' },
    ]);
    expect(await execute(server.url('shared'), everything)).toEqual([
      { table_name: 'lessons', column_name: 'id' },
      { table_name: 'schema_versions', column_name: 'checksum' },
    ]);
    await execute(server.url('shared'), 'drop table schema_versions');
    // Tables with other names do not conflict.
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
  ] as const)('another program’s %s has the same name', async ([what, how, named], { server }) => {
    const name = `sharing_${unique().toLowerCase()}`;
    await execute(server.url(), `create database ${name}`);
    // A function may have the name of a table.
    await execute(server.url(name), "create function students() returns int language sql as 'select 1'");
    await execute(server.url(name), `create ${what} ${how}`);
    await expect(databaseOn(server.url(name)).open()).rejects.toThrow(
      `The database has tables that another program made: ${named}. SIMS needs a database of its own`,
    );
    await execute(server.url(name), `drop ${what}`);
    await (await databaseOn(server.url(name)).open()).close();
  });

  test('a newer program has migrated the database, and leaves it unchanged', async ({ server }) => {
    await execute(server.url(), 'create database newer');
    await (await databaseOn(server.url('newer')).open()).close();
    await execute(server.url('newer'), "insert into schema_versions values (999, '999-later', '2099-01-01')");
    const before = await execute(server.url('newer'), everything);
    expect(await getStartError(server.url('newer'))).toMatch(
      /^The database has schema version 999, .+: start a newer SIMS\.$/,
    );
    expect(await execute(server.url('newer'), everything)).toEqual(before);
  });

  test('the database is not encoded in UTF-8', async ({ server }) => {
    await execute(server.url(), "create database latin encoding 'LATIN1' template template0");
    expect(await getStartError(server.url('latin'))).toBe('The database must be encoded in UTF-8.');
  });
});
