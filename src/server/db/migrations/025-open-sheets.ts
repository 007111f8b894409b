import { sql } from 'kysely';
import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Why a mark sheet was taken back, and an index of the sheets whose results are not final yet. */
export async function up(db: Tx): Promise<void> {
  const { text } = columnTypes(db);
  await db.schema.alterTable('sheets').addColumn('taken_back', text).execute();
  await db.schema
    .createIndex('sheets_open')
    .on('sheets')
    .columns(['state', 'term_id', 'department', 'degree', 'semester'])
    .where(sql<boolean>`notification is null`)
    .execute();
}
