import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Mark sheets, the results that they wrote, and the notifications that make results final. */
export async function up(db: Tx): Promise<void> {
  const { text, int, bigint } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('result_notifications')
      .addColumn('number', autoIncrementKey(db))
      .addColumn('term_id', int, (c) => c.notNull().references('terms.term_id'))
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addColumn('notified_at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('user_name', text, (c) => c.notNull())
      .addUniqueConstraint('result_notifications_class', ['term_id', 'department', 'degree', 'semester']),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('sheets')
      .addColumn('sheet_id', autoIncrementKey(db))
      .addColumn('course_id', bigint, (c) => c.notNull())
      .addColumn('course_code', text, (c) => c.notNull())
      .addColumn('course_name', text, (c) => c.notNull())
      .addColumn('term_id', int, (c) => c.notNull().references('terms.term_id'))
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('credits', int, (c) => c.notNull())
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('syn', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('setup_version', int, (c) => c.notNull())
      .addColumn('policy_id', int)
      .addColumn('categories', text, (c) => c.notNull())
      .addColumn('last_component_id', int, (c) => c.notNull())
      .addColumn('grading', text)
      .addColumn('rectifies', int, (c) => c.references('sheets.sheet_id'))
      .addColumn('rectify_kind', text)
      .addColumn('rectify_reason', text)
      .addColumn('submitted_by', int)
      .addColumn('submitted_name', text)
      .addColumn('submitted_at', text)
      .addColumn('submit_reasons', text)
      .addColumn('confirmed_by', int)
      .addColumn('confirmed_name', text)
      .addColumn('confirmed_at', text)
      .addColumn('checksum', text)
      .addColumn('difference', text)
      .addColumn('notification', int, (c) => c.references('result_notifications.number'))
      .addColumn('created_by', int)
      .addColumn('created_name', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull()),
  ).execute();
  for (const [name, ...columns] of [
    ['sheets_by_term', 'term_id', 'department', 'degree', 'semester'],
    ['sheets_by_course', 'course_id'],
    ['sheets_by_rectified', 'rectifies'],
  ] as const) {
    await db.schema.createIndex(name).on('sheets').columns(columns).execute();
  }
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_rows')
      .addColumn('sheet_id', int, (c) => c.notNull().references('sheets.sheet_id').onDelete('cascade'))
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('semester', int)
      .addColumn('cells', text, (c) => c.notNull())
      .addColumn('filled', int, (c) => c.notNull())
      .addColumn('total', int)
      .addColumn('is_absent', int, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('sheet_rows_key', ['sheet_id', 'student_id']),
    { clustered: true },
  ).execute();
  await db.schema
    .createIndex('sheet_rows_by_student')
    .on('sheet_rows')
    .columns(['student_id', 'sheet_id'])
    .execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_results')
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('slot', int, (c) => c.notNull())
      .addColumn('course_id', bigint, (c) => c.notNull())
      .addColumn('sheet_id', int, (c) => c.notNull().references('sheets.sheet_id'))
      .addColumn('half_points', int)
      .addPrimaryKeyConstraint('sheet_results_key', ['student_id', 'semester', 'slot']),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('sheet_results_by_sheet').on('sheet_results').column('sheet_id').execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('sheet_people')
      .addColumn('id', text, (c) => c.primaryKey())
      .addColumn('sheet_id', int, (c) => c.notNull().references('sheets.sheet_id').onDelete('cascade'))
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('user_name', text, (c) => c.notNull())
      .addColumn('seen_at', text, (c) => c.notNull()),
  ).execute();
  await db.schema.createIndex('sheet_people_by_sheet').on('sheet_people').column('sheet_id').execute();
  await db.schema
    .alterTable('semesters')
    .addColumn('is_provisional', int, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('course_marks').addColumn('sheet_id', int).execute();
}
