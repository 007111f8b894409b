import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import { checkFile, createFile, damaged, isDamage, refuseEmpty } from './check-file.ts';
import { type PlaceSettings, placeOf } from './copy/place.ts';
import { refuseHalfRestored, takeDataFolder } from './data-folder.ts';
import { removeEndedSessions } from './ended-sessions.ts';
import { type Migrating, migrate } from './migrate.ts';
import type { Db, Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { loadSqliteEngine, type SqliteDatabase } from './sqlite-engine.ts';

export interface Database {
  /** For queries outside of a transaction: never waits for a writer. */
  read: Db;
  /** For transactions. */
  write: Db;
  /** For lists and figures of many records, as they are once a session has written up to `mark`, or a moment later. */
  readAfter(mark: string | null): Promise<Db>;
  /** Remembers how far a session has written, where that matters to what it may read. */
  noteWrite?: (tokenHash: string) => Promise<void>;
  /** How it stands, as far as this process sees it without a query. */
  state(): Promise<DatabaseState>;
  close(): Promise<void>;
}

export type DatabaseState =
  | { engine: 'sqlite'; fileBytes: number; logBytes: number; freeBytes: number }
  | ({ engine: 'postgresql'; replica?: ReplicaState } & PoolState);

/** Connections of this process to a server, and queries that wait for one. */
export interface PoolState {
  inUse: number;
  idle: number;
  waiting: number;
  most: number;
}

export interface ReplicaState extends PoolState {
  /** Whether it is asked. */
  serves: boolean;
  /** Milliseconds since the primary wrote what it has not got yet; 0 where it had everything when it was last heard of. */
  behind: number;
}

/** How a database server is used. */
export interface ServerOptions {
  /** Connections at most. */
  connections?: number;
  /** Milliseconds that a statement may take; 0 for any. */
  statementTimeout?: number;
  /** Address of a server that follows it, for reading. */
  readUrl?: string | undefined;
  /** This process keeps all others out of it already. */
  isHeld?: boolean | undefined;
  /** Takes what whoever runs the product should know. */
  log?: (what: string) => void;
}

/** Milliseconds a statement waits for a lock that another program holds on the file, while nobody is served yet, and to read. */
const BUSY_TIMEOUT = 5000;
/** Bytes that the log keeps when all of it has been carried over: a great change makes it grow, for that time only. */
const LOG_LIMIT = 16 * 2 ** 20;

/**
 * Opens the database that the settings name: a server's, or the embedded one of the data folder. One that has to be brought
 * up to date is backed up before, where there is a folder for that.
 */
export async function openDatabase(settings: PlaceSettings, server: ServerOptions = {}): Promise<Database> {
  const { databaseUrl, dataDir, backup } = settings;
  const before = async () => {
    if (backup.dir === undefined) return;
    // Loaded only where they are used, as the server's engine below: hardly any start has a migration to make.
    const { backupInto } = await import('../backup/make-backup.ts');
    const place = { ...placeOf(settings), isHeld: server.isHeld };
    await backupInto(backup.dir, place, 'before-migration').catch((error: unknown) => {
      throw new StartError(
        `The database has to be brought up to date, and backed up before that. ${error instanceof Error ? error.message : String(error)} Nothing was changed; make room in ${backup.dir}, or set SIMS_BACKUP_DIR.`,
      );
    });
  };
  if (databaseUrl === undefined) {
    return openEmbedded(dataDir, { before }).catch(async (error: unknown) => {
      const { adviseRestore } = await import('../backup/advise-restore.ts');
      throw await adviseRestore(error, backup.dir);
    });
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(databaseUrl, { ...server, before });
}

/** Opens the embedded database of a data folder, up to date and safe to acknowledge writes from. */
export async function openEmbedded(dataDir: string, migrating: Migrating = {}): Promise<Database> {
  const engine = await loadSqliteEngine();
  const folder = takeDataFolder(engine, dataDir);
  const file = join(dataDir, 'sims.db');
  const opened: SqliteDatabase[] = [];
  try {
    refuseHalfRestored(dataDir);
    createFile(engine, file);
    refuseEmpty(file);
    const writer = engine.open(file);
    opened.push(writer);
    writer.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma foreign_keys = on`);
    checkFile(writer);
    // In this order: switching to the write-ahead log sets "normal" for later writes unless FULL is asked for after it.
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${LOG_LIMIT}`,
    );

    const write = new Kysely<Schema>({ dialect: sqliteDialect(writer, { exclusive: true }) });
    await migrate(write, migrating);
    await removeEndedSessions(write);
    checkDurability(writer);
    // From now on it is waited for elsewhere, without holding everybody up: see `sqlite-dialect.ts`.
    writer.exec('pragma busy_timeout = 0');

    const reader = engine.open(file);
    opened.push(reader);
    reader.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma query_only = on; pragma cache_size = -65536`);
    const read = new Kysely<Schema>({ dialect: sqliteDialect(reader, { exclusive: false }) });

    return {
      read,
      write,
      readAfter: async () => read,
      state: async () => ({
        engine: 'sqlite',
        fileBytes: await sizeOf(file),
        logBytes: await sizeOf(`${file}-wal`),
        freeBytes: await freeIn(dataDir),
      }),
      close: async () => {
        await read.destroy();
        reader.close();
        // All is in one file then; the log would be carried over at the next start anyway.
        writer.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma wal_checkpoint(truncate)`);
        await write.destroy();
        writer.close();
        folder.release();
      },
    };
  } catch (error) {
    for (const database of opened) database.close();
    folder.release();
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (isDamage(reason)) throw damaged(file, reason);
    throw new StartError(`The database ${file} can't be opened: ${reason}`);
  }
}

const sizeOf = async (file: string) => (await stat(file)).size;

/** What this user may still write there. */
async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * After the first write, since the pragma reads FULL right after the switch to the write-ahead log even where
 * later writes would not be synchronised.
 */
function checkDurability(database: SqliteDatabase): void {
  database.exec('update schema_versions set name = name where version = 1; pragma optimize');
  const answers = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
    Object.values(database.prepare(`pragma ${name}`).all()[0] ?? {}).join(),
  );
  if (answers.join() !== 'wal,2,1') {
    throw new StartError(
      `The database does not promise durable writes (${answers.join()}): it must be on a local disk.`,
    );
  }
}
