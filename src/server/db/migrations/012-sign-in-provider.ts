import { columnTypes, endTable } from '../dialect.ts';
import type { Tx } from '../schema.ts';

/** People whom an OpenID provider knows, and sign-ins there that are under way. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await endTable(
    db,
    db.schema
      .createTable('identities')
      .addColumn('issuer', text, (c) => c.notNull())
      .addColumn('subject', text, (c) => c.notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('linked_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
      .addUniqueConstraint('identities_of_user', ['user_id', 'issuer']),
  ).execute();
  await endTable(
    db,
    db.schema
      .createTable('provider_sign_ins')
      .addColumn('browser_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('nonce', text, (c) => c.notNull())
      .addColumn('verifier', text, (c) => c.notNull())
      .addColumn('identity', text)
      .addColumn('ticket_hash', text)
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
}
