import { columnTypes } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Where a session was started from, for its owner to know it by; accounts that are locked. */
export async function up(db: Db): Promise<void> {
  const { text } = columnTypes(db);
  await db.schema.alterTable('sessions').addColumn('address', text).execute();
  await db.schema.alterTable('sessions').addColumn('user_agent', text).execute();
  await db.schema.alterTable('users').addColumn('locked_at', text).execute();
}
