import { sql } from 'kysely';
import { type CopyState, createCopyMarker, removeCopyMarker, updateCopyMarker } from '../db/copy-marker.ts';
import type { Database } from '../db/database.ts';
import { continueIdsAfter, hasTable, lastGeneratedId, truncateTables } from '../db/dialect/catalogue.ts';
import { tuneForBulkLoad } from '../db/dialect/locks.ts';
import { analyzeTables, indexStatements } from '../db/dialect/sql.ts';
import { type DatabaseLocation, formatLocation } from '../db/location.ts';
import type { Db, Tx } from '../db/schema.ts';
import { openEmbedded } from '../db/sqlite/open-sqlite.ts';
import { COPIED_TABLES, INITIAL_ROWS, listTables, type Table } from '../db/tables.ts';
import { retryTransaction } from '../db/transaction.ts';
import { linkPendingIn } from '../history/links.ts';
import { describeNeededKeys, findSealingKeys } from '../secrets/stored-secrets.ts';
import { StartError } from '../start-error.ts';
import { checksumTable, copyTable, type TableChecksum, type TableCopyOptions } from './copy-table.ts';
import { withExclusiveLock } from './exclusive.ts';
import { openReadOnly } from './open-read-only.ts';
import {
  inspectTarget,
  readInstallation,
  requireCurrentVersion,
  type SourceInstallation,
} from './preflight.ts';

interface FillOptions extends TableCopyOptions {
  /** Receives the comparison of each table as soon as it is made. */
  onCompared?: ((comparison: TableComparison) => void) | undefined;
  /** Throws when the exclusive lock on the source or the target has been lost. */
  confirm?: (() => Promise<void>) | undefined;
}

export interface CopyOptions extends Omit<FillOptions, 'confirm'> {
  from: DatabaseLocation;
  to: DatabaseLocation;
  /** Empties an unfinished copy and starts again. */
  restart: boolean;
}

/** The rows of one table in the source and in the copy. */
export interface TableComparison {
  table: string;
  there: TableChecksum;
  here: TableChecksum;
  isSame: boolean;
}

/** The two connections may be one. */
type Target = Pick<Database, 'read' | 'write'>;

/**
 * Copies all records to an empty database, or resumes an interrupted copy, and compares source and target. A copy in which
 * anything differs stays marked as unfinished.
 */
export async function copyInstallation(options: CopyOptions): Promise<TableComparison[]> {
  const { from, to, restart } = options;
  const label = formatLocation(from);
  if (label === formatLocation(to)) throw new StartError(`${label} can't be copied to itself.`);
  // Locked: what a server saves in the source after its table was read would be missing from the copy.
  return withExclusiveLock(from, async (lockedSource, confirmSource) => {
    const source = await openReadOnly(lockedSource);
    if (source === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
    try {
      const installation = await requireCurrentVersion(source.db, label);
      // Before the lock too: if the target is the source under another name, locking it would wait for ourselves.
      const unlocked = to.kind === 'postgres' ? { ...to, isHeld: true } : to;
      await inspectTarget(unlocked, installation, { restart });
      return await withExclusiveLock(to, async (lockedTarget, confirmTarget) => {
        const begun = await inspectTarget(lockedTarget, installation, { restart });
        const target = await openCopyTarget(lockedTarget);
        try {
          const isResumed = begun !== undefined && !restart;
          options.onProgress(
            isResumed ? 'Continuing the unfinished copy.' : `Copying ${label} to ${formatLocation(to)} …`,
          );
          const state = isResumed ? begun : await startCopy(target.write, installation, { begun });
          const confirm = async () => {
            await confirmSource();
            await confirmTarget();
          };
          const compared = await fill(source.db, target, state, { ...options, confirm });
          const needed = describeNeededKeys('both', await findSealingKeys(source.db));
          if (needed !== undefined) options.onProgress(needed);
          return compared;
        } finally {
          await target.close();
        }
      });
    } finally {
      await source.close();
    }
  });
}

/**
 * Replaces everything in a database with the contents of a backup, as {@link copyInstallation} does. The caller holds the
 * exclusive lock of the target.
 *
 * @param begun state of an unfinished copy in the target
 */
export async function replaceInstallation(
  source: Db,
  target: Db,
  { backup, begun, ...options }: FillOptions & { backup: string; begun: CopyState | undefined },
): Promise<TableComparison[]> {
  const installation = { ...(await requireCurrentVersion(source, backup)), isBackup: true };
  const state = await startCopy(target, installation, { begun, replace: true });
  return fill(source, { read: target, write: target }, state, options);
}

/** Rows per transaction where no caller chooses. */
const DEFAULT_ROWS = 2_000;

/**
 * Copies one snapshot of a PostgreSQL database of any schema version to a new data folder. Servers may write to the database
 * during the copy.
 */
export async function copyServerToFolder(
  from: DatabaseLocation & { kind: 'postgres' },
  folder: string,
): Promise<void> {
  const label = formatLocation(from);
  const source = await openReadOnly(from);
  if (source === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
  try {
    const installation = await readInstallation(source.db, label);
    const target = await openCopyTarget({ kind: 'sqlite', folder }, installation.version);
    try {
      const state = await startCopy(target.write, installation, {});
      const compared = await fill(source.db, target, state, { rows: DEFAULT_ROWS, onProgress: () => {} });
      const different = compared.find(({ isSame }) => !isSame);
      if (different !== undefined)
        throw new StartError(`The copy of ${different.table} differs from its source.`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens the target of a copy, which may be unfinished; `version` where the source has an older schema. */
export async function openCopyTarget(location: DatabaseLocation, version?: number): Promise<Database> {
  if (location.kind === 'sqlite') return openEmbedded(location.folder, { toFill: true, version });
  const { openPostgres } = await import('../db/postgres/open-postgres.ts');
  return openPostgres(location.url, {
    toFill: true,
    version,
    statementTimeout: 0,
    isHeld: location.isHeld,
  });
}

/**
 * Marks the target as unfinished and drops its indexes: they are created at the end, each in one pass, instead of row by
 * row.
 *
 * @param begun state of an unfinished copy in the target, which is emptied
 * @param replace empties the target even if it contains data
 */
async function startCopy(
  db: Db,
  source: SourceInstallation,
  { begun, replace = false }: { begun?: CopyState | undefined; replace?: boolean },
): Promise<CopyState> {
  return retryTransaction(db, async (tx) => {
    await tuneForBulkLoad(tx);
    const isFilled = begun !== undefined || replace;
    const tables = (await listTables(tx)).map(({ name }) => name);
    // Of those that are not copied, the ones that refer to others; an older schema has no mark sheets.
    const referring = [
      'sessions',
      'exports',
      ...((await hasTable(tx, 'sheet_people')) ? ['sheet_people'] : []),
    ];
    if (isFilled) await truncateTables(tx, [...tables, ...referring]);
    else
      await truncateTables(
        tx,
        tables.filter((name) => INITIAL_ROWS.has(name)),
      );
    if (begun !== undefined) await removeCopyMarker(tx);
    const indexes = begun?.indexes.slice() ?? [];
    for (const table of COPIED_TABLES) {
      for (const { name, statement } of await indexStatements(tx, table)) {
        await tx.schema.dropIndex(name).execute();
        indexes.push(statement);
      }
    }
    const state = { source, indexes, tables: {} };
    await createCopyMarker(tx);
    await updateCopyMarker(tx, state);
    return state;
  });
}

/** Copies what is missing, then compares all tables. */
async function fill(
  source: Db,
  target: Target,
  state: CopyState,
  options: FillOptions,
): Promise<TableComparison[]> {
  const tables = await listTables(target.write);
  for (const table of tables) await copyTable(source, target.write, table, state, options);
  await createIndexes(target.write, state, options.onProgress);
  const compared = await compare(source, target.read, options);
  if (compared.every(({ isSame }) => isSame)) {
    await options.confirm?.();
    await retryTransaction(target.write, (tx) => finishCopy(tx, source, tables));
    await analyzeTables(target.write);
  }
  return compared;
}

/** Creates the indexes that are still missing. */
async function createIndexes(
  db: Db,
  state: CopyState,
  onProgress: TableCopyOptions['onProgress'],
): Promise<void> {
  if (state.indexes.length > 0) onProgress(`Creating ${state.indexes.length} indexes …`);
  for (let statement = state.indexes[0]; statement !== undefined; statement = state.indexes[0]) {
    const rest = state.indexes.slice(1);
    const createIndex = sql.raw(statement);
    await retryTransaction(db, async (tx) => {
      await tuneForBulkLoad(tx);
      await createIndex.execute(tx);
      await updateCopyMarker(tx, { ...state, indexes: rest });
    });
    state.indexes = rest;
  }
}

async function compare(
  source: Db,
  copy: Db,
  { rows, onProgress, onCompared }: FillOptions,
): Promise<TableComparison[]> {
  onProgress('Comparing the rows of both and their SHA-256 …');
  const compared: TableComparison[] = [];
  for (const table of await listTables(source)) {
    const [there, here] = await Promise.all([
      checksumTable(source, table, rows),
      checksumTable(copy, table, rows),
    ]);
    const comparison = { table: table.name, there, here, isSame: there.checksum === here.checksum };
    compared.push(comparison);
    onCompared?.(comparison);
  }
  return compared;
}

/**
 * Links what was pending in the source to the chain, and continues its generated ids, so that ids of deleted rows, which the
 * history names, are never reused.
 */
async function finishCopy(tx: Tx, source: Db, tables: readonly Table[]): Promise<void> {
  // An older schema has none.
  if (tables.some(({ name }) => name === 'history_pending')) await linkPendingIn(tx);
  for (const { name, numbered } of tables) {
    if (numbered === undefined) continue;
    await continueIdsAfter(tx, name, numbered, await lastGeneratedId(source, name, numbered));
  }
  await removeCopyMarker(tx);
}
