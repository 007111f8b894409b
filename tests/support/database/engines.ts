import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Database, ServerOptions } from '../../../src/server/db/database.ts';
import { openPostgres } from '../../../src/server/db/postgres/open-postgres.ts';
import { openEmbedded } from '../../../src/server/db/sqlite/open-sqlite.ts';
import { unique } from '../records.ts';
import { ReusedDatabase } from './reused-postgres.ts';
import { TEMPLATE_DATABASE } from './template-database.ts';

/** A database that outlives the applications opened on it, so that a restart can be tested. */
export interface TestDatabase {
  /** Folder of its files. */
  folder: string;
  /** Its location as an argument of the command line. */
  location: string;
  /** Settings with which a process uses the same engine; none for SQLite, which needs the data folder only. */
  setting: Record<string, string>;
  open(): Promise<Database>;
  remove(): Promise<void>;
}

export interface Engine {
  name: string;
  /** The server is not installed. */
  isMissing?: boolean;
  /** A new database: empty unless content is asked for. */
  prepare(content?: Content): Promise<TestDatabase>;
  /** A database as a new installation has it, for one application in this process. */
  borrow(): Promise<BorrowedDatabase>;
}

export interface BorrowedDatabase {
  db: Database;
  /** An empty folder, or that of the database. */
  folder: string;
  /** After closing `db`. */
  giveBack(): Promise<void>;
}

interface Content {
  /** With tables, copied from a template: creating them takes longer than most tests. */
  isMade?: boolean;
  /** A copy of another database, which must be closed. */
  copyOf?: TestDatabase | undefined;
}

export const sqlite: Engine = {
  name: 'sqlite',
  prepare: async ({ isMade = false, copyOf } = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-api-'));
    if (copyOf !== undefined)
      await copyFile(path.join(copyOf.folder, 'sims.db'), path.join(folder, 'sims.db'));
    else if (isMade) await copyFile(inject('madeFile'), path.join(folder, 'sims.db'));
    return {
      folder,
      location: `sqlite:${folder}`,
      setting: {},
      open: () => openEmbedded(folder),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
  borrow: async () => {
    const { folder, open, remove } = await sqlite.prepare({ isMade: true });
    return { db: await open(), folder, giveBack: remove };
  },
};

/** Empty without PostgreSQL; the tests on it are then reported as skipped. */
const postgresUrl = inject('postgresUrl');

export const postgres: Engine = {
  name: 'postgresql',
  isMissing: postgresUrl === '',
  prepare: async ({ isMade = false, copyOf } = {}) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-api-'));
    const template =
      copyOf === undefined ? isMade && TEMPLATE_DATABASE : new URL(copyOf.location).pathname.slice(1);
    const name = `sims_${unique()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '_')}_${process.pid}`;
    // Copying the files takes less than half the CPU time of the default, which writes every page to the log.
    await onServer(
      `create database ${name} strategy file_copy${template === false ? '' : ` template ${template}`}`,
    );
    const url = new URL(postgresUrl);
    url.pathname = `/${name}`;
    return {
      folder,
      location: url.href,
      setting: { DATABASE_URL: url.href },
      open: () => openPostgres(url.href),
      remove: async () => {
        await onServer(`drop database ${name} with (force)`);
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
  borrow: async () => {
    const { own, reused } = unused.pop() ?? (await prepareReused());
    return {
      db: reused.lend(),
      folder: own.folder,
      giveBack: async () => {
        if (await reused.restore()) {
          unused.push({ own, reused });
          return;
        }
        await reused.close();
        await own.remove();
      },
    };
  },
};

/** Databases of this worker that no application uses now; the server is removed with them. */
const unused: Awaited<ReturnType<typeof prepareReused>>[] = [];

async function prepareReused() {
  const own = await postgres.prepare({ isMade: true });
  return { own, reused: await ReusedDatabase.open(own.location) };
}

/** A database that is removed together with its server. */
export const databaseOn = (location: string, options: ServerOptions = {}): TestDatabase => ({
  folder: tmpdir(),
  location,
  setting: { DATABASE_URL: location },
  open: () => openPostgres(location, options),
  remove: async () => {},
});

/** Kept open, because most tests create and drop a database. */
const administration = new pg.Pool({ connectionString: postgresUrl, max: 2, allowExitOnIdle: true });
administration.on('error', () => {});

async function onServer(statement: string): Promise<void> {
  await administration.query(statement);
}

/** Every supported engine; tests of the API run on each. */
export const engines: readonly Engine[] = [sqlite, postgres];
