import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Until when students are added, dropped and withdraw. Terms of before have no such days. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await db.schema
    .alterTable('terms')
    .addColumn('summer', int, (c) => c.notNull().defaultTo(0))
    .execute();
  for (const name of ['add_until', 'drop_until', 'withdraw_until'])
    await db.schema.alterTable('terms').addColumn(name, text).execute();
}
