import { sql } from 'kysely';
import { type CopyState, readCopyMarker, rejectUnfinishedCopy } from '../db/copy-marker.ts';
import { hasTable } from '../db/dialect/catalogue.ts';
import { type DatabaseLocation, formatLocation } from '../db/location.ts';
import { rejectNameCollisions, requireKnownMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Db } from '../db/schema.ts';
import { COPIED_TABLES, INITIAL_ROWS, UNCOPIED_TABLES } from '../db/tables.ts';
import { StartError } from '../start-error.ts';
import { openReadOnly } from './open-read-only.ts';

/** Identifies an installation and its state. */
export type SourceInstallation = CopyState['source'];

/** @throws StartError unless it holds a complete installation of this program's schema version or an earlier one of its own */
export async function readInstallation(db: Db, label: string): Promise<SourceInstallation> {
  await rejectUnfinishedCopy(db);
  const applied = await appliedMigrations(db, label);
  const [first] = applied;
  if (first === undefined) throw new StartError(`${label} holds no SIMS records.`);
  const { latest } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('latest'))
    .executeTakeFirstOrThrow();
  return { label, version: applied.length, founded: first.applied_at, latest };
}

/** @throws StartError unless it holds a complete installation of this program's schema version */
export async function requireCurrentVersion(db: Db, label: string): Promise<SourceInstallation> {
  const source = await readInstallation(db, label);
  if (source.version === MIGRATIONS.length) return source;
  throw new StartError(
    `${label} has schema version ${source.version}, this program ${MIGRATIONS.length}: start this SIMS on it once, which migrates it.`,
  );
}

/**
 * The migrations that were applied, in their order; none in an empty database.
 *
 * @throws StartError where another program has tables with the names of ours, or another or a newer release made them
 */
export async function appliedMigrations(db: Db, label: string): Promise<{ applied_at: string }[]> {
  await rejectNameCollisions(db);
  if (!(await hasTable(db, 'schema_versions'))) return [];
  const applied = await db
    .selectFrom('schema_versions')
    .select(['version', 'name', 'applied_at'])
    .orderBy('version')
    .execute();
  requireKnownMigrations(applied, label);
  return applied;
}

/**
 * Checks the target of a copy before anything is changed there.
 *
 * @returns the state of an unfinished copy in the target
 * @throws StartError unless it is empty or holds an unfinished copy: one of this source, or with `restart` of any
 */
export async function inspectTarget(
  location: DatabaseLocation,
  source: SourceInstallation,
  { restart }: { restart: boolean },
): Promise<CopyState | undefined> {
  const target = await openReadOnly(location);
  if (target === undefined) return undefined;
  const label = formatLocation(location);
  try {
    const { db } = target;
    const begun = await readCopyMarker(db);
    if (begun !== undefined) {
      if (!restart) requireSameSource(begun.source, source, label);
      return begun;
    }
    const [first] = await appliedMigrations(db, label);
    if (first?.applied_at === source.founded) {
      throw new StartError(`${label} and ${source.label} are the same database.`);
    }
    const filled = await findNonEmptyTable(db);
    if (filled === undefined) return undefined;
    throw new StartError(
      `${label} already holds records (${filled}). A copy goes into an empty database only; nothing was changed.`,
    );
  } finally {
    await target.close();
  }
}

/** The first table with other rows than a new database has, that of the migrations aside; undefined where there are no records to lose. */
export async function findNonEmptyTable(db: Db): Promise<string | undefined> {
  for (const table of [...COPIED_TABLES, ...Object.keys(UNCOPIED_TABLES)]) {
    if (table === 'schema_versions' || !(await hasTable(db, table))) continue;
    const initial = INITIAL_ROWS.get(table) ?? 0;
    const { rows } = await sql`select 1 from ${sql.table(table)} limit ${initial + 1}`.execute(db);
    if (rows.length > initial) return table;
  }
  return undefined;
}

function requireSameSource(begun: SourceInstallation, source: SourceInstallation, label: string): void {
  if (begun.isBackup) {
    throw new StartError(
      `A restore of ${begun.label} into ${label} was interrupted. Run that again, or start again with --restart.`,
    );
  }
  if (begun.founded !== source.founded) {
    throw new StartError(
      `${label} is an unfinished copy of something else (${begun.label}). Name that one, or start again with --restart.`,
    );
  }
  if (begun.latest !== source.latest || begun.version !== source.version) {
    throw new StartError(
      `${source.label} has changed since this copy of it was started. Stop its server and start again with --restart.`,
    );
  }
}
