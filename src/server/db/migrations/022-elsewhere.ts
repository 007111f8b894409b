import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * Semesters before a late entry, and why an import is an administrator's act. Every recorded semester was taken here; an import
 * that was previewed before has no reason yet, which applying it finds.
 */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await db.schema
    .alterTable('semesters')
    .addColumn('is_elsewhere', int, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('imports').addColumn('needs_reason', text).execute();
}
