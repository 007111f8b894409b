import { columnTypes, endTable, numberedKey } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Each person's own names for views of the list of students. */
export async function up(db: Db): Promise<void> {
  const { text, int } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('saved_views')
      .addColumn('id', numberedKey(db))
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('name_key', text, (c) => c.notNull())
      .addColumn('view', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addUniqueConstraint('saved_views_names', ['user_id', 'name_key']),
  ).execute();
}
