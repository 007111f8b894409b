import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadSqliteEngine } from '../../../src/server/db/sqlite/engine.ts';
import { Server } from './server.ts';

export const SEED = fileURLToPath(new URL('../../../dist/server/cli/seed.js', import.meta.url));

async function seed(folder: string, students: number): Promise<void> {
  await promisify(execFile)(process.execPath, [SEED, '--students', String(students)], {
    env: { PATH: process.env.PATH, SIMS_DATA_DIR: folder },
  });
}

const makeFolder = () => mkdtemp(path.join(tmpdir(), 'sims-server-'));

/** Starts a server with the sample faculty, as after `npm run seed`. */
export async function startWithFaculty(
  students: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const folder = await makeFolder();
  await seed(folder, students);
  return Server.start(settings, folder);
}

/** The data folder of a sample faculty that all workers of a run copy, in the environment. */
const SHARED_FACULTY = 'SIMS_TEST_FACULTY';

/**
 * Lets the schemes be for the latest batch alone. The results of a student begin with the subjects of a scheme in force; for those
 * that tests make, a test puts one in force itself.
 */
async function leaveTestsWithoutScheme(folder: string): Promise<void> {
  const database = (await loadSqliteEngine()).open(path.join(folder, 'sims.db'));
  database.exec(`UPDATE schemes SET degrees = '["48"]'`);
  database.close();
}

/** Makes the sample faculty of a run. @returns a function that removes it */
export async function makeSharedFaculty(): Promise<() => Promise<void>> {
  const folder = await makeFolder();
  process.env[SHARED_FACULTY] = folder;
  await seed(folder, 400);
  await leaveTestsWithoutScheme(folder);
  return () => rm(folder, { recursive: true, force: true });
}

/** Starts a server on a copy of the sample faculty of the run. */
export async function startWithSharedFaculty(): Promise<Server> {
  const shared = process.env[SHARED_FACULTY];
  if (shared === undefined) throw new Error('The sample faculty of the run has not been made.');
  const folder = await makeFolder();
  await cp(shared, folder, { recursive: true });
  return Server.start({}, folder);
}
