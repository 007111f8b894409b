import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** The teachers of mark sheets. */
export async function up(db: Tx): Promise<void> {
  const { int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_teachers')
      .addColumn('sheet_id', int, (c) => c.notNull().references('sheets.sheet_id').onDelete('cascade'))
      .addColumn('user_id', int, (c) => c.notNull().references('users.id'))
      .addColumn('position', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('sheet_teachers_pk', ['sheet_id', 'user_id']),
  ).execute();
  await db.schema
    .createIndex('sheet_teachers_by_user')
    .on('sheet_teachers')
    .columns(['user_id', 'sheet_id'])
    .execute();
}
