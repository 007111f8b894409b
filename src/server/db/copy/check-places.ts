import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { hasTable } from '../dialect-tables.ts';
import { refuseForeignTables } from '../foreign-tables.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Db } from '../schema.ts';
import { openUnchanged } from './open-unchanged.ts';
import { labelOf, type Place } from './place.ts';
import { type CopyState, readState, refuseUnfinished } from './state.ts';
import { COPIED_TABLES, LEFT_OUT } from './tables.ts';

/** What tells one installation, and its state, from another. */
export type Source = CopyState['source'];

/** @throws StartError unless it holds a whole installation of this program's schema version or an earlier one, all of which it knows of */
export async function describeKnown(db: Db, label: string): Promise<Source> {
  await refuseUnfinished(db);
  const made = await versionsOf(db);
  const [first] = made;
  if (first === undefined) throw new StartError(`${label} holds no SIMS records.`);
  const { latest } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('latest'))
    .executeTakeFirstOrThrow();
  const source = { label, version: made.length, founded: first.applied_at, latest };
  if (source.version <= MIGRATIONS.length) return source;
  throw otherVersion(source, 'use the newer SIMS that has been started on it');
}

/** @throws StartError unless it holds a whole installation of this program's schema version */
export async function describeSource(db: Db, label: string): Promise<Source> {
  const source = await describeKnown(db, label);
  if (source.version === MIGRATIONS.length) return source;
  throw otherVersion(source, 'start this SIMS on it once, which brings it up to date');
}

const otherVersion = ({ label, version }: Source, advice: string) =>
  new StartError(`${label} has schema version ${version}, this program ${MIGRATIONS.length}: ${advice}.`);

/**
 * One for each migration that has been made.
 *
 * @throws StartError where another program has made tables of these names
 */
export async function versionsOf(db: Db): Promise<{ applied_at: string }[]> {
  await refuseForeignTables(db);
  return (await hasTable(db, 'schema_versions'))
    ? db.selectFrom('schema_versions').select('applied_at').orderBy('version').execute()
    : [];
}

/** What a target is found to hold, before anything is done to it. */
export interface Target {
  /** How far a copy in it has come. */
  begun: CopyState | undefined;
  /** That copy is gone on with. */
  goesOn: boolean;
}

/**
 * Looks at the target before anything is done to it. With `replace` whatever is there gives way.
 *
 * @throws StartError unless it is empty, may be replaced or holds an unfinished copy; with `restart`, of whatever, else of
 * this source
 */
export async function lookAtTarget(
  place: Place,
  source: Source,
  { restart, replace = false }: { restart: boolean; replace?: boolean | undefined },
): Promise<Target> {
  const nothing = { begun: undefined, goesOn: false };
  const target = await openUnchanged(place);
  if (target === undefined) return nothing;
  const label = labelOf(place);
  try {
    const { db } = target;
    const begun = await readState(db);
    if (begun !== undefined) {
      if (replace) return { begun, goesOn: false };
      if (!restart) checkSame(begun.source, source, label);
      return { begun, goesOn: !restart };
    }
    if (replace) return nothing;
    const [first] = await versionsOf(db);
    if (first?.applied_at === source.founded) {
      throw new StartError(`${label} and ${source.label} are the same database.`);
    }
    const filled = await filledTable(db);
    if (filled === undefined) return nothing;
    throw new StartError(
      `${label} already holds records (${filled}). A copy goes into an empty database only; nothing was changed.`,
    );
  } finally {
    await target.close();
  }
}

/** A table that holds something; undefined where there is nothing to be lost. */
export async function filledTable(db: Db): Promise<string | undefined> {
  for (const table of [...COPIED_TABLES, ...Object.keys(LEFT_OUT)]) {
    if (table === 'schema_versions' || !(await hasTable(db, table))) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) return table;
  }
  return undefined;
}

const isSame = (begun: Source, source: Source) =>
  (['founded', 'latest', 'version'] as const).every((what) => begun[what] === source[what]);

function checkSame(begun: Source, source: Source, label: string): void {
  if (begun.founded !== source.founded || begun.isBackup) {
    if (begun.isBackup) {
      throw new StartError(
        `A restore of ${begun.label} into ${label} was broken off. Run that again, or begin anew with --restart.`,
      );
    }
    throw new StartError(
      `${label} is an unfinished copy of something else (${begun.label}). Name that one, or begin anew with --restart.`,
    );
  }
  if (!isSame(begun, source)) {
    throw new StartError(
      `${source.label} has changed since this copy of it was begun. Stop its server and begin anew with --restart.`,
    );
  }
}
