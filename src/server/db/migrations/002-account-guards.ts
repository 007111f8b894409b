import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Accounts that wait to be verified or approved, the links that verify them, and where accounts sign in from. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  // Null for those that exist: they are verified and approved.
  await db.schema.alterTable('users').addColumn('waiting_for', text).execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('email_verifications')
      .addColumn('token_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema
    .createIndex('email_verifications_by_user')
    .on('email_verifications')
    .column('user_id')
    .execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('known_networks')
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('network', text, (c) => c.notNull())
      .addColumn('signed_in_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('known_networks_key', ['user_id', 'network']),
    { clustered: true },
  ).execute();
}
