import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openEmbedded, type ServerOptions } from '../../src/server/db/open.ts';
import { openPostgres } from '../../src/server/db/postgres.ts';
import { MADE_DATABASE } from './provided.ts';
import { unique } from './records.ts';

/** A database that outlives the applications opened on it, so that a restart can be tested. */
export interface TestDatabase {
  /** Where its files are. */
  folder: string;
  /** Where it is, as the command line names it. */
  place: string;
  /** What a process is told to keep its data on the same engine: nothing where it has a folder of its own. */
  setting: Record<string, string>;
  open(): Promise<Database>;
  remove(): Promise<void>;
}

export interface Engine {
  name: string;
  /** There is no such server to be had here. */
  isMissing?: boolean;
  /** An empty database nobody else uses; `isMade`: with its tables made, which takes longer than most tests. */
  prepare(options?: { isMade?: boolean }): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'sqlite',
  prepare: async ({ isMade = false } = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-api-'));
    if (isMade) await copyFile(inject('madeFile'), path.join(folder, 'sims.db'));
    return {
      folder,
      place: `sqlite:${folder}`,
      setting: {},
      open: () => openEmbedded(folder),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** Where none can be had, the tests on this engine are there all the same, as skipped. */
const postgresUrl = inject('postgresUrl');

export const postgres: Engine = {
  name: 'postgresql',
  isMissing: postgresUrl === '',
  prepare: async ({ isMade = false } = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-api-'));
    const name = `sims_${unique()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '_')}_${process.pid}`;
    await onServer(`create database ${name}${isMade ? ` template ${MADE_DATABASE}` : ''}`);
    const url = new URL(postgresUrl);
    url.pathname = `/${name}`;
    return {
      folder,
      place: url.href,
      setting: { DATABASE_URL: url.href },
      open: () => openPostgres(url.href),
      remove: async () => {
        await onServer(`drop database ${name} with (force)`);
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/** A database of a server that whoever started it removes with it. */
export const databaseOn = (place: string, options: ServerOptions = {}): TestDatabase => ({
  folder: tmpdir(),
  place,
  setting: { DATABASE_URL: place },
  open: () => openPostgres(place, options),
  remove: async () => {},
});

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Every engine that the product runs on; tests of calls run on each. */
export const engines: readonly Engine[] = [sqlite, postgres];
