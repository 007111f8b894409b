import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * Rows that a confirmation left for later, and the rows that were taken off drafts. Of the sheets that are there nothing was
 * left: each was confirmed as a whole.
 */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await db.schema
    .alterTable('sheet_rows')
    .addColumn('is_left', int, (c) => c.notNull().defaultTo(0))
    .execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_removed_rows')
      .addColumn('sheet_id', int, (c) => c.notNull().references('sheets.sheet_id').onDelete('cascade'))
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('semester', int)
      .addColumn('cells', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('sheet_removed_rows_key', ['sheet_id', 'student_id']),
    { clustered: true },
  ).execute();
  await db.schema
    .createIndex('sheet_removed_rows_by_student')
    .on('sheet_removed_rows')
    .column('student_id')
    .execute();
}
