import { columnTypes, endTable } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Exports that are being fetched, for every process to know of. */
export async function up(db: Db): Promise<void> {
  const { text, int, bigint } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('exports')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('rows', bigint, (c) => c.notNull())
      .addColumn('bytes', bigint, (c) => c.notNull())
      .addColumn('total', bigint, (c) => c.notNull())
      .addColumn('total_is', text, (c) => c.notNull())
      .addColumn('is_over', int, (c) => c.notNull())
      .addColumn('seen_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('exports_of_user').on('exports').column('user_id').execute();
}
