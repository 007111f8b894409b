import { sql } from 'kysely';
import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Holds on students, and documents that were issued in spite of them. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('holds')
      .addColumn('hold_id', autoIncrementKey(db))
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('blocks', text, (c) => c.notNull())
      .addColumn('starts_on', text, (c) => c.notNull())
      .addColumn('ends_on', text)
      .addColumn('placed_at', text, (c) => c.notNull())
      .addColumn('placed_by', int)
      .addColumn('placed_name', text, (c) => c.notNull())
      .addColumn('released_at', text)
      .addColumn('released_by', int)
      .addColumn('released_name', text)
      .addColumn('release_reason', text)
      .addColumn('overrides', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();
  const byStudent = db.schema.createIndex('holds_by_student').on('holds').columns(['student_id', 'hold_id']);
  await byStudent.unique().execute();
  await db.schema
    .createIndex('holds_open')
    .on('holds')
    .columns(['kind', 'student_id'])
    .where(sql.ref('released_at'), 'is', null)
    .execute();
  await db.schema.alterTable('documents').addColumn('override', text).execute();
}
