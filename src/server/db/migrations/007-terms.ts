import { autoIncrementKey, columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** The terms of the academic calendar, and the institution as its papers show it. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await withTableOptions(
    db,
    db.schema
      .createTable('terms')
      .addColumn('term_id', autoIncrementKey(db))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('name_key', text, (c) => c.notNull().unique())
      .addColumn('starts_on', text, (c) => c.notNull())
      .addColumn('ends_on', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('institution')
      .addColumn('id', int, (c) => c.primaryKey().notNull())
      .addColumn('name', text)
      .addColumn('short_name', text)
      .addColumn('address', text)
      .addColumn('signatories', text, (c) => c.notNull())
      .addColumn('logo', text)
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();
}
