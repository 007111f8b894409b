import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { hasTable } from '../dialect-tables.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Db } from '../schema.ts';
import { openUnchanged } from './open-unchanged.ts';
import { labelOf, type Place } from './place.ts';
import { type CopyState, readState, refuseUnfinished } from './state.ts';
import { COPIED_TABLES, LEFT_OUT } from './tables.ts';

/** What tells one installation, and its state, from another. */
export type Source = CopyState['source'];

/** @throws StartError unless it holds a whole installation of this program's schema version */
export async function describeSource(db: Db, label: string): Promise<Source> {
  await refuseUnfinished(db);
  const made = await versionsOf(db);
  const version = made.length;
  const [first] = made;
  if (first === undefined) throw new StartError(`${label} holds no SIMS records.`);
  if (version !== MIGRATIONS.length) {
    const advice =
      version < MIGRATIONS.length
        ? 'start this SIMS on it once, which brings it up to date, then copy it'
        : 'copy it with the newer SIMS that has been started on it';
    throw new StartError(
      `${label} has schema version ${version}, this program ${MIGRATIONS.length}: ${advice}.`,
    );
  }
  const { latest } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('latest'))
    .executeTakeFirstOrThrow();
  return { label, version, founded: first.applied_at, latest };
}

const versionsOf = async (db: Db) =>
  (await hasTable(db, 'schema_versions'))
    ? db.selectFrom('schema_versions').select('applied_at').orderBy('version').execute()
    : [];

/**
 * Looks at the target before anything is done to it, and answers how far a copy in it has come.
 *
 * @throws StartError unless it is empty or holds an unfinished copy; with `restart`, of whatever, else of this source
 */
export async function lookAtTarget(
  place: Place,
  source: Source,
  { restart }: { restart: boolean },
): Promise<CopyState | undefined> {
  const target = await openUnchanged(place);
  if (target === undefined) return undefined;
  const label = labelOf(place);
  try {
    const { db } = target;
    const state = await readState(db);
    if (state !== undefined) {
      if (!restart) checkSame(state.source, source, label);
      return state;
    }
    const [first] = await versionsOf(db);
    if (first?.applied_at === source.founded) {
      throw new StartError(`${label} and ${source.label} are the same database.`);
    }
    for (const table of [...COPIED_TABLES, ...Object.keys(LEFT_OUT)]) {
      if (table === 'schema_versions' || !(await hasTable(db, table))) continue;
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
      if (rows.length === 0) continue;
      throw new StartError(
        `${label} already holds records (${table}). A copy goes into an empty database only; nothing was changed.`,
      );
    }
    return undefined;
  } finally {
    await target.close();
  }
}

function checkSame(begun: Source, source: Source, label: string): void {
  if (begun.founded !== source.founded) {
    throw new StartError(
      `${label} is an unfinished copy of something else (${begun.label}). Name that one, or begin anew with --restart.`,
    );
  }
  if (begun.latest !== source.latest || begun.version !== source.version) {
    throw new StartError(
      `${source.label} has changed since this copy of it was begun. Stop its server and begin anew with --restart.`,
    );
  }
}
