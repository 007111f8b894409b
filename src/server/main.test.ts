import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { test as base, describe, expect, vi } from 'vitest';
import { postgres } from '../../tests/support/engines.ts';
import { aStudent } from '../../tests/support/records.ts';
import { signedInReply } from '../contract/accounts.ts';
import { backupInto } from './backup/make-backup.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');

type Env = Record<string, string>;

/** The product as its own process, from its sources. */
function run(folder: string, env: Env = {}) {
  const child = spawn(process.execPath, ['--import', TSX, MAIN], {
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

/** Waits until the product says where it listens. */
async function ready({ child, output }: Running): Promise<string> {
  for (;;) {
    const url = /^SIMS listening on (http:\S+)$/m.exec(output.out)?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output.err}`);
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(child, 'close');
  child.kill(signal);
  const [code] = await ended;
  return code as number | null;
}

/** What a process that must not start says, line by line. */
async function refusal({ child, output }: Running) {
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

/** Makes the first account, and answers its token. */
async function register(url: string): Promise<string> {
  for (;;) {
    const { status, body } = await send(`${url}/api/register`, 'POST', account);
    // A machine that is busy with other things may make the product turn calls away at first.
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
  /** Starts the product on the folder; what a failing test leaves running ends with it. */
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

describe('the product as a process', () => {
  test('keeps what it has acknowledged when it is killed, and a data folder to itself', async ({ start }) => {
    const first = start();
    const url = await ready(first);
    const token = await register(url);
    const students = Array.from({ length: 20 }, () => aStudent());
    const saved = await Promise.all(students.map((one) => send(`${url}/api/students`, 'POST', one, token)));
    expect(saved.map(({ status }) => status)).toEqual(students.map(() => 201));

    // While it runs, nobody else gets the folder, and it does not mind their trying.
    const second = await refusal(start());
    expect(second).toMatchObject({ code: 4, out: '' });
    expect(second.lines).toEqual([expect.stringContaining(`in use by pid ${first.child.pid},`)]);

    const last = aStudent();
    expect((await send(`${url}/api/students`, 'POST', last, token)).status).toBe(201);
    await end(first.child, 'SIGKILL');

    const third = start();
    const again = await ready(third);
    const list = (await send(`${again}/api`, 'GET', undefined, token)).body;
    expect((list as { id: string }[]).map(({ id }) => id)).toEqual(
      [...students, last].map(({ id }) => id).sort(),
    );
    const health = await send(`${again}/api/health`, 'GET');
    expect(health).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await end(third.child, 'SIGTERM')).toBe(0);
    expect(third.output.out).toBe(`SIMS listening on ${again}\n`);
    expect(third.output.err).toBe('');
  });

  test('does not start with bad settings, and says all that is wrong, one line each', async ({ start }) => {
    const settings = { PORT: 'many', HOST: '0.0.0.0', LOG_LEVEL: 'loud' };
    const { code, out, lines } = await refusal(start(settings));
    expect([code, out]).toEqual([1, '']);
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SIMS_REGISTRATION',
    ]);
  });

  test('does not start on a port that is taken, in one line', async ({ start }) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const taken = await refusal(start({ PORT: String(port) }));
    expect(taken).toMatchObject({ code: 1, out: '', lines: [expect.stringContaining('EADDRINUSE')] });
    server.close();
  });

  test('does not start on a damaged database, in one line with the way back', async ({ folder, start }) => {
    const file = path.join(folder, 'sims.db');
    writeFileSync(file, 'no database '.repeat(1000));
    const damaged = await refusal(start());
    expect(damaged).toMatchObject({ code: 3, out: '', lines: [expect.stringContaining('damaged')] });
    expect(damaged.lines[0]).toMatch(/There is none in .+backups\.$/);

    rmSync(file);
    const running = start();
    const url = await ready(running);
    const token = await register(url);
    const backups = path.join(folder, 'backups');
    const place = { kind: 'sqlite', folder } as const;
    const older = await backupInto(backups, place, 'asked');
    const student = aStudent();
    await send(`${url}/api/students`, 'POST', student, token);
    const newer = await backupInto(backups, place, 'asked');
    await end(running.child, 'SIGTERM');

    // A backup that is damaged as well is no way back.
    writeFileSync(newer.file, readFileSync(newer.file).fill(1, 4096, 4100));
    writeFileSync(file, '');
    const emptied = await refusal(start());
    expect(emptied).toMatchObject({ code: 3, out: '' });
    expect(emptied.lines).toEqual([
      expect.stringContaining(`node dist/server/cli/sims.js restore ${older.file} --force`),
    ]);
  });

  test('does not start where no folder can be made, in one line', async ({ folder, start }) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const refused = await refusal(start({ SIMS_DATA_DIR: path.join(file, 'inside', 'data') }));
    expect(refused).toMatchObject({ code: 1, out: '', lines: [expect.stringContaining("can't be made")] });
  });
});

const onPostgres = postgres.isMissing ? base.skip : base;

onPostgres('a start that still waits for the database ends in good order when it is asked to', async () => {
  const database = await postgres.prepare();
  const holder = new pg.Client({ connectionString: database.place });
  await holder.connect();
  await holder.query("select pg_advisory_lock(hashtextextended('sims migrations', 0))");
  const { child, output } = run(database.folder, database.setting);
  // Others wait for locks of theirs on this server.
  const waiting = `select 1 from pg_locks join pg_database d on d.oid = database
    where not granted and datname = current_database()`;
  await vi.waitUntil(async () => (await holder.query(waiting)).rowCount === 1, { timeout: 20_000 });
  expect(await end(child, 'SIGTERM'), output.err).toBe(0);
  await holder.end();
  await database.remove();
});
