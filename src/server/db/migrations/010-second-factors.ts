import { columnTypes, endTable } from '../dialect.ts';
import type { Tx } from '../schema.ts';

/** Codes of an authenticator app beside the password, and codes on paper for when the app is lost. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('second_factors')
      .addColumn('user_id', int, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
      .addColumn('secret', text, (c) => c.notNull())
      .addColumn('begun_at', text, (c) => c.notNull())
      .addColumn('confirmed_at', text)
      .addColumn('last_step', int)
      .addColumn('failures', int, (c) => c.notNull()),
  ).execute();
  await endTable(
    db,
    db.schema
      .createTable('recovery_codes')
      .addColumn('code_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade')),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute();
}
