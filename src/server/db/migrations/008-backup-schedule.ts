import { columnTypes, endTable } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** When the scheduled backup was made last: one row, by which one process of many makes it. */
export async function up(db: Db): Promise<void> {
  const { text, int } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('backup_schedule')
      .addColumn('id', int, (c) => c.primaryKey().notNull())
      .addColumn('begun_at', text, (c) => c.notNull())
      .addColumn('good_at', text),
  ).execute();
}
