import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres } from '../../tests/support/database/engines.ts';
import { runSimsInProcess } from '../../tests/support/processes/command-line.ts';
import { ENDED_IN_ORDER } from '../../tests/support/processes/server.ts';
import { aStudent } from '../../tests/support/records.ts';
import { signedInReply } from '../contract/accounts/accounts.ts';
import { backupInto } from './backup/make-backup.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

type Env = Record<string, string>;

/** Starts the built product as a process. */
function run(folder: string, env: Env = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', SIMS_DATA_DIR: folder, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.err += chunk;
  });
  return { child, output };
}

type Running = ReturnType<typeof run>;

/** Waits until the product prints its URL, and answers it. */
async function waitForUrl({ child, output }: Running): Promise<string> {
  for (;;) {
    const url = /^SIMS listening on (http:\S+)$/m.exec(output.out)?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output.err}`);
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  }
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(child, 'close');
  child.kill(signal);
  const [code] = await ended;
  return code as number | null;
}

/** Waits for a process that must refuse to start; answers its exit code and output. */
async function waitForRefusal({ child, output }: Running) {
  const [code] = await once(child, 'close');
  return { code: code as number, out: output.out, lines: output.err.trimEnd().split('\n') };
}

async function send(url: string, method: string, body?: object, token?: string) {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const password = 'seven wet umbrellas';
const account = { name: 'Asad', email: 'asad@x.example', password, password_confirmation: password };

/** Registers the first account and answers its token. */
async function register(url: string): Promise<string> {
  for (;;) {
    const { status, body } = await send(`${url}/api/register`, 'POST', account);
    // On a busy machine the product may refuse the first calls as overloaded.
    if (status !== 503) return signedInReply.parse(body).token;
  }
}

const test = base.extend<{ folder: string; start: (env?: Env) => Running }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-main-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  /** Starts the product on the folder, and kills processes that a failing test leaves running. */
  start: async ({ folder }, use) => {
    const started: Running[] = [];
    await use((env) => {
      const running = run(folder, env);
      started.push(running);
      return running;
    });
    for (const { child } of started) child.kill('SIGKILL');
  },
});

describe('the product process', () => {
  test('keeps acknowledged changes when it is killed, and locks its data folder', async ({ start }) => {
    const first = start();
    const url = await waitForUrl(first);
    const token = await register(url);
    const students = Array.from({ length: 20 }, () => aStudent());
    const saved = await Promise.all(students.map((one) => send(`${url}/api/students`, 'POST', one, token)));
    expect(saved.map(({ status }) => status)).toEqual(students.map(() => 201));

    // While it runs, a second process is refused the folder and does not disturb it.
    const second = await waitForRefusal(start());
    expect(second).toMatchObject({ code: 4, out: '' });
    expect(second.lines).toEqual([expect.stringContaining(`in use by pid ${first.child.pid},`)]);

    const last = aStudent();
    expect((await send(`${url}/api/students`, 'POST', last, token)).status).toBe(201);
    await stopProcess(first.child, 'SIGKILL');

    const third = start();
    const restartedUrl = await waitForUrl(third);
    const list = (await send(`${restartedUrl}/api`, 'GET', undefined, token)).body;
    expect((list as { id: string }[]).map(({ id }) => id)).toEqual(
      [...students, last].map(({ id }) => id).sort(),
    );
    const health = await send(`${restartedUrl}/api/health`, 'GET');
    expect(health).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await stopProcess(third.child, 'SIGTERM')).toBe(ENDED_IN_ORDER);
    expect(third.output.out).toBe(`SIMS listening on ${restartedUrl}\n`);
    expect(third.output.err).toBe('');
  });

  // Covers A94
  test('refuses to start with invalid settings and reports each fault in one line', async ({ start }) => {
    const settings = { PORT: 'many', HOST: '0.0.0.0', LOG_LEVEL: 'loud', SIMS_REGISTRATON: 'open' };
    const { code, out, lines } = await waitForRefusal(start(settings));
    expect([code, out]).toEqual([1, '']);
    expect(lines.shift()).toBe('SIMS_REGISTRATON is not a setting; did you mean SIMS_REGISTRATION?');
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SIMS_REGISTRATION',
    ]);
  });

  test('refuses to start on a port in use, with a one-line message', async ({ start }) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const taken = await waitForRefusal(start({ PORT: String(port) }));
    expect(taken).toMatchObject({ code: 1, out: '', lines: [expect.stringContaining('EADDRINUSE')] });
    server.close();
  });

  test('refuses to start on a damaged or missing database, with a one-line instruction', {
    timeout: 120_000,
  }, async ({ folder, start }) => {
    const file = path.join(folder, 'sims.db');
    writeFileSync(file, 'no database '.repeat(1000));
    const damaged = await waitForRefusal(start());
    expect(damaged).toMatchObject({ code: 3, out: '', lines: [expect.stringContaining('damaged')] });
    expect(damaged.lines[0]).toMatch(
      /There is no good backup in .+backups; restore one from elsewhere with: node dist\/server\/cli\/sims\.js restore <file> --force$/,
    );

    // A missing database is not replaced by an empty one unless the administrator requests it.
    rmSync(file);
    const missing = await waitForRefusal(start());
    expect(missing).toMatchObject({ code: 3, out: '' });
    expect(missing.lines).toEqual([
      expect.stringMatching(
        /has no database, but lock files .+: node dist\/server\/cli\/sims\.js migrate --new\./,
      ),
    ]);
    expect(readdirSync(folder)).not.toContain('sims.db');
    const created = await runSimsInProcess(['migrate', '--new'], { SIMS_DATA_DIR: folder });
    expect(created.code, created.lines.join('\n')).toBe(0);
    expect((await runSimsInProcess(['migrate', '--new'], { SIMS_DATA_DIR: folder })).lines).toEqual([
      expect.stringMatching(/holds a database: --new is for/),
    ]);
    const running = start();
    const url = await waitForUrl(running);
    const token = await register(url);
    const backups = path.join(folder, 'backups');
    const location = { kind: 'sqlite', folder } as const;
    const older = await backupInto(backups, location, 'asked');
    const student = aStudent();
    await send(`${url}/api/students`, 'POST', student, token);
    const newer = await backupInto(backups, location, 'asked');
    // The terminal is closed.
    expect(await stopProcess(running.child, 'SIGHUP')).toBe(ENDED_IN_ORDER);

    // A damaged backup is not suggested.
    writeFileSync(newer.file, readFileSync(newer.file).fill(1, 4096, 4100));
    writeFileSync(file, '');
    const emptied = await waitForRefusal(start());
    expect(emptied).toMatchObject({ code: 3, out: '' });
    expect(emptied.lines).toEqual([
      expect.stringContaining(`node dist/server/cli/sims.js restore ${older.file} --force`),
    ]);
  });

  test('refuses to start where the data folder cannot be created, with a one-line message', async ({
    folder,
    start,
  }) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const refused = await waitForRefusal(start({ SIMS_DATA_DIR: path.join(file, 'inside', 'data') }));
    expect(refused).toMatchObject({ code: 1, out: '', lines: [expect.stringContaining("can't be created")] });
  });
});

const onPostgres = postgres.isMissing ? base.skip : base;

onPostgres('a start that waits for the database shuts down cleanly on SIGTERM', async () => {
  const database = await postgres.prepare({ isMade: true });
  const lockHolder = new pg.Client({ connectionString: database.location });
  await lockHolder.connect();
  await lockHolder.query("select pg_advisory_lock(hashtextextended('sims migrations', 0))");
  const { child, output } = run(database.folder, database.setting);
  // Other tests wait for locks in their own databases on this server.
  const waiting = `select 1 from pg_locks join pg_database d on d.oid = database
    where not granted and datname = current_database()`;
  await vi.waitUntil(async () => (await lockHolder.query(waiting)).rowCount === 1, { timeout: 60_000 });
  expect(await stopProcess(child, 'SIGTERM'), output.err).toBe(0);
  await lockHolder.end();
  await database.remove();
});
