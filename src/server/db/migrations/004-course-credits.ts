import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Credit hours of a course. Null for the courses that exist: nobody has entered them yet. */
export async function up(db: Tx): Promise<void> {
  const { int } = columnTypes(db);
  await db.schema.alterTable('courses').addColumn('credits', int).execute();
}
