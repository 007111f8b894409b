import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../src/server/db/open.ts';
import { openPostgres } from '../../src/server/db/postgres.ts';
import { PostgresServer, postgresPrograms } from './postgres.ts';
import { MADE_DATABASE } from './provided.ts';

/** What all tests of a run share: a real server, and on each engine a database with its tables made, to be copied. */
export default async function prepareRun(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-made-'));
  await (await openEmbedded(folder)).close();
  project.provide('madeFile', path.join(folder, 'sims.db'));
  const server = postgresPrograms() === undefined ? undefined : await PostgresServer.start();
  project.provide('postgresUrl', server?.url() ?? '');
  if (server !== undefined) {
    const client = new pg.Client({ connectionString: server.url() });
    await client.connect();
    await client.query(`create database ${MADE_DATABASE}`);
    await client.end();
    await (await openPostgres(server.url(MADE_DATABASE))).close();
  }
  return async () => {
    await server?.dispose();
    await rm(folder, { recursive: true, force: true });
  };
}
