import { columnTypes } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** How far a read replica must have come before it is asked on behalf of a session that has written. */
export async function up(db: Db): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('written_up_to', columnTypes(db).text).execute();
}
