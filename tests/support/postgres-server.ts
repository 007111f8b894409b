import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import './provided.ts';

/** A real server for the whole run: on a free port of this machine, in a folder of its own, ended and removed after. */
export default async function startPostgres(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const programs = process.env.POSTGRES_BIN || usualFolder();
  if (programs === undefined) {
    project.provide('postgresUrl', '');
    return undefined;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-postgres-'));
  // The server refuses to run as root.
  const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? idsOf('postgres') : {};
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  const data = path.join(folder, 'data');
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'sims', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
    {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    },
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=400',
  ];
  const server = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await ready(server);
  project.provide('postgresUrl', `postgres://sims@127.0.0.1:${port}/postgres`);
  return async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Not SIGTERM: that waits for clients.
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

/** For runs of the test runner by itself; `npm test` looks further and installs one where it may. */
function usualFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(root, version, 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')));
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}.\n${output}`)));
  });
}
