import { columnTypes, endTable, numberedKey } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Changes of many students in one go; the history says of each entry which of them it belongs to. */
export async function up(db: Db): Promise<void> {
  const { text, int } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('bulk_changes')
      .addColumn('id', numberedKey(db))
      .addColumn('at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addColumn('undo', text),
  ).execute();
  await db.schema
    .alterTable('history')
    .addColumn('bulk_id', int, (c) => c.references('bulk_changes.id'))
    .execute();
  await db.schema
    .createIndex('history_of_bulk')
    .on('history')
    .columns(['bulk_id', 'id'])
    .where('bulk_id', 'is not', null)
    .execute();
}
