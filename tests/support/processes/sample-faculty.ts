import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Server } from './server.ts';

const SEED = fileURLToPath(new URL('../../../dist/server/cli/seed.js', import.meta.url));

/** Starts a server with the sample faculty, as after `npm run seed`. */
export async function startWithFaculty(
  students: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-server-'));
  await promisify(execFile)(process.execPath, [SEED, '--students', String(students)], {
    env: { PATH: process.env.PATH, SIMS_DATA_DIR: folder },
  });
  return Server.start(settings, folder);
}
