import { columnTypes } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** Attendance of the rows of mark sheets, and of those that were taken off drafts. Rows of before have none. */
export async function up(db: Tx): Promise<void> {
  const { text } = columnTypes(db);
  for (const table of ['sheet_rows', 'sheet_removed_rows'])
    await db.schema.alterTable(table).addColumn('attendance', text).execute();
}
