import { sql } from 'kysely';
import { StartError } from '../start-error.ts';
import { COPIED_TABLES, LEFT_OUT } from './copy/tables.ts';
import { columnsOf, takenNames } from './dialect-tables.ts';
import type { Db } from './schema.ts';

const VERSIONS = 'schema_versions';
const VERSION_COLUMNS = ['applied_at', 'name', 'version'];

/** Refuses a database in which another program has tables, or what is in their way, that are called like those of this one. */
export async function refuseForeignTables(db: Db): Promise<void> {
  const columns = await columnsOf(db, VERSIONS);
  const isOurs = columns.toSorted().join() === VERSION_COLUMNS.join();
  if (isOurs) {
    const { rows } = await sql`select 1 from ${sql.table(VERSIONS)} limit 1`.execute(db);
    if (rows.length > 0) return;
  }
  const own = new Set(
    [...COPIED_TABLES, ...Object.keys(LEFT_OUT)].flatMap((table) => [table, `${table}_is_append_only`]),
  );
  if (isOurs) own.delete(VERSIONS);
  const foreign = (await takenNames(db)).filter(({ name }) => own.has(name));
  if (foreign.length === 0) return;
  const named = foreign.map(({ name, kind }) => (kind === 'table' ? name : `${name} (${kind})`));
  throw new StartError(
    `The database has tables that another program made: ${named.join(', ')}. SIMS needs a database of its own; nothing was changed.`,
  );
}
