import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Where the codes of papers lead, and the titles of the degrees; neither has been entered yet. */
export async function up(db: Tx): Promise<void> {
  const { text } = columnTypes(db);
  await db.schema.alterTable('institution').addColumn('public_url', text).execute();
  await db.schema
    .alterTable('institution')
    .addColumn('programmes', text, (c) => c.notNull().defaultTo('[]'))
    .execute();
}
