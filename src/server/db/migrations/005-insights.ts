import type { Db } from '../schema.ts';

/** Counts students whose results fell within a department, which the list's own index of falls does not tell apart. */
export async function up(db: Db): Promise<void> {
  await db.schema
    .createIndex('students_falling')
    .on('students')
    .columns(['department', 'fall'])
    .where('fall', '>', 0)
    .execute();
}
