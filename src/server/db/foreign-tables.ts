import { sql } from 'kysely';
import { StartError } from '../start-error.ts';
import { COPIED_TABLES, LEFT_OUT } from './copy/tables.ts';
import { catalogueOf } from './dialect-tables.ts';
import type { Tx } from './schema.ts';

const VERSIONS = 'schema_versions';
const VERSION_COLUMNS = ['applied_at', 'name', 'version'];

/** Refuses a database in which another program has tables that are called like those of this one. */
export async function refuseForeignTables(tx: Tx): Promise<void> {
  const catalogue = await catalogueOf(tx);
  const columns = catalogue.filter(({ table }) => table === VERSIONS).map(({ column }) => column);
  const isOurs = columns.length === 0 || columns.toSorted().join() === VERSION_COLUMNS.join();
  if (isOurs && columns.length > 0) {
    const { rows } = await sql`select 1 from ${sql.table(VERSIONS)} limit 1`.execute(tx);
    if (rows.length > 0) return;
  }
  const own = new Set<string>([...COPIED_TABLES, ...Object.keys(LEFT_OUT)]);
  if (isOurs) own.delete(VERSIONS);
  const foreign = [...new Set(catalogue.map(({ table }) => table))].filter((table) => own.has(table));
  if (foreign.length === 0) return;
  throw new StartError(
    `The database has tables that another program made: ${foreign.join(', ')}. SIMS needs a database of its own; nothing was changed.`,
  );
}
