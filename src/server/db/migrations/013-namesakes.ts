import type { Tx } from '../schema.ts';

/** Finds the students with a name and date of birth, for each row of an import. */
export async function up(db: Tx): Promise<void> {
  await db.schema
    .createIndex('students_by_person')
    .on('students')
    .columns(['dob', 'name_key', 'id'])
    .execute();
}
