import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Imports of files, their rows, and the columns that people have chosen before. */
export async function up(db: Tx): Promise<void> {
  const { text, int, bigint } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('imports')
      .addColumn('id', autoIncrementKey(db))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('course_id', bigint)
      .addColumn('file_name', text)
      .addColumn('file', text)
      .addColumn('rows', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('choices', text)
      .addColumn('preview', int, (c) => c.notNull())
      .addColumn('counts', text)
      .addColumn('fingerprint', text)
      .addColumn('done', int, (c) => c.notNull())
      .addColumn('seen_at', text)
      .addColumn('applied_at', text)
      .addColumn('is_partial', int, (c) => c.notNull())
      .addColumn('bulk_id', int, (c) => c.unique().references('bulk_changes.id'))
      .addColumn('undo', text),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('import_rows')
      .addColumn('import_id', int, (c) => c.notNull().references('imports.id').onDelete('cascade'))
      .addColumn('line', int, (c) => c.notNull())
      .addColumn('cells', text, (c) => c.notNull())
      .addColumn('state', text)
      .addColumn('outcome', text)
      .addPrimaryKeyConstraint('import_rows_key', ['import_id', 'line']),
    { clustered: true },
  ).execute();
  await db.schema
    .createIndex('import_rows_by_state')
    .on('import_rows')
    .columns(['import_id', 'state', 'line'])
    .execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('import_columns')
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('heading', text, (c) => c.notNull())
      .addColumn('field', text)
      .addPrimaryKeyConstraint('import_columns_key', ['user_id', 'kind', 'heading']),
    { clustered: true },
  ).execute();
}
