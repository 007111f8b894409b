import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Server } from './server.ts';

const SEED = fileURLToPath(new URL('../../../dist/server/cli/seed.js', import.meta.url));

/** Fills an unused server with the sample faculty, as `npm run seed` does. */
export async function fillWithFaculty(server: Server, students: number): Promise<void> {
  await server.stop();
  await promisify(execFile)(process.execPath, [SEED, '--students', String(students)], {
    env: { PATH: process.env.PATH, SIMS_DATA_DIR: server.dataDir },
  });
  await server.restart();
}
