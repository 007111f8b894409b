import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** When, by whom and why students were added to mark sheets, and openings of terms. Rows of before have nothing of it. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_registrations')
      .addColumn('registration_id', autoIncrementKey(db))
      .addColumn('sheet_id', int, (c) => c.notNull())
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('added_on', text, (c) => c.notNull())
      .addColumn('added_by', int)
      .addColumn('added_name', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('covered', text, (c) => c.notNull())
      .addUniqueConstraint('sheet_registrations_row', ['sheet_id', 'student_id'])
      .addForeignKeyConstraint(
        'sheet_registrations_of_row',
        ['sheet_id', 'student_id'],
        'sheet_rows',
        ['sheet_id', 'student_id'],
        (key) => key.onDelete('cascade').onUpdate('cascade'),
      ),
  ).execute();
  await db.schema.alterTable('sheets').addColumn('scheme_row', text).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('openings')
      .addColumn('opening_id', autoIncrementKey(db))
      .addColumn('term_id', int, (c) => c.notNull())
      .addColumn('classes', text, (c) => c.notNull())
      .addColumn('sheet_ids', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('created_by', int)
      .addColumn('created_name', text, (c) => c.notNull())
      .addColumn('undone_at', text)
      .addColumn('undone_by', int)
      .addColumn('undone_name', text)
      .addColumn('undone', int)
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();
  await db.schema.createIndex('openings_by_term').on('openings').columns(['term_id', 'opening_id']).execute();
}
