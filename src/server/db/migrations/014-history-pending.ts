import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Entries of the history that are not linked to its chain yet, with the digests of when they were stored. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('history_pending')
      .addColumn('history_id', int, (c) => c.primaryKey().notNull())
      .addColumn('digest', text, (c) => c.notNull()),
  ).execute();
}
