import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../../src/server/db/postgres/open-postgres.ts';
import { openEmbedded } from '../../../src/server/db/sqlite/open-sqlite.ts';
import { PostgresServer, postgresPrograms } from './postgres.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

/**
 * Test databases exist for seconds. `fsync` stays on, because the product warns if it is off; instead, the files are kept in
 * memory where possible.
 */
const SHORT_LIVED = {
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  full_page_writes: 'off',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  wal_level: 'minimal',
};

/** Prepares what all tests of a run share: a PostgreSQL server, and a template database with tables on each engine. */
export default async function prepareRun(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-made-'));
  await (await openEmbedded(folder)).close();
  project.provide('madeFile', path.join(folder, 'sims.db'));
  const server =
    postgresPrograms() === undefined ? undefined : await PostgresServer.start({ settings: SHORT_LIVED });
  project.provide('postgresUrl', server?.localUrl() ?? '');
  if (server !== undefined) {
    const client = new pg.Client({ connectionString: server.localUrl() });
    await client.connect();
    await client.query(`create database ${TEMPLATE_DATABASE}`);
    await client.end();
    await (await openPostgres(server.localUrl(TEMPLATE_DATABASE))).close();
  }
  return async () => {
    await server?.dispose();
    await rm(folder, { recursive: true, force: true });
  };
}
