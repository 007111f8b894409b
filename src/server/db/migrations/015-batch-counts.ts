import { sql } from 'kysely';
import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/** The counts of the cohorts added up over syndicates and standings: a seventh of the rows for each page of the list. */
export async function up(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  const key = ['department', 'degree', 'current_sem', 'gender', 'is_complete', 'status'] as const;
  await withTableOptions(
    db,
    db.schema
      .createTable('batch_counts')
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('current_sem', int, (c) => c.notNull())
      .addColumn('gender', text, (c) => c.notNull())
      .addColumn('is_complete', int, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('batch_counts_key', [...key]),
    { clustered: true },
  ).execute();
  const columns = sql.join(key.map((name) => sql.ref(name)));
  await sql`insert into batch_counts (${columns}, students)
    select ${columns}, sum(students) from cohorts where students > 0 group by ${columns}`.execute(db);
}
