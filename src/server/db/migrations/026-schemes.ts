import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Schemes of studies, courses that count as one, and what a student has by exception or from elsewhere. */
export async function up(db: Tx): Promise<void> {
  const { text, int, bigint } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('schemes')
      .addColumn('scheme_id', autoIncrementKey(db))
      .addColumn('number', int, (c) => c.unique())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degrees', text)
      .addColumn('rows', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('created_by', int)
      .addColumn('created_name', text, (c) => c.notNull())
      .addColumn('published_at', text)
      .addColumn('published_by', int)
      .addColumn('published_name', text),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('equivalents')
      .addColumn('equivalent_id', autoIncrementKey(db))
      .addColumn('course_id', bigint, (c) => c.notNull())
      .addColumn('other_id', bigint, (c) => c.notNull())
      .addColumn('degrees', text)
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('created_by', int)
      .addColumn('created_name', text, (c) => c.notNull()),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('scheme_exceptions')
      .addColumn('exception_id', autoIncrementKey(db))
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('row_key', text, (c) => c.notNull())
      .addColumn('course_id', bigint)
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('made_at', text, (c) => c.notNull())
      .addColumn('made_by', int)
      .addColumn('made_name', text, (c) => c.notNull()),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('outside_credits')
      .addColumn('outside_id', autoIncrementKey(db))
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('credits', int, (c) => c.notNull())
      .addColumn('institution', text, (c) => c.notNull())
      .addColumn('grade', text)
      .addColumn('row_key', text)
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();
  for (const [table, key] of [
    ['scheme_exceptions', 'exception_id'],
    ['outside_credits', 'outside_id'],
  ] as const) {
    const index = db.schema.createIndex(`${table}_by_student`).on(table).columns(['student_id', key]);
    await index.unique().execute();
  }
  await db.schema.alterTable('imports').addColumn('scheme_id', int).execute();
}
