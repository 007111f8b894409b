import { sql } from 'kysely';
import { jsonElements } from '../db/dialect/sql.ts';
import type { Tx } from '../db/schema.ts';

/** Forgets what mark sheets keep of deleted students for a restore, before others are recorded with their IDs. */
export async function forgetSheetsOfDeleted(tx: Tx, ids: readonly string[]): Promise<void> {
  const named = sql`(select e.value from ${jsonElements(tx, sql.val(JSON.stringify(ids)))} e)`;
  for (const table of ['sheet_results', 'sheet_removed_rows'] as const) {
    await sql`delete from ${sql.table(table)} where student_id in ${named}`.execute(tx);
  }
}
