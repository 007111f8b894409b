import { sql } from 'kysely';
import { indexesOf, measureTables, takeTime } from '../db/dialect.ts';
import type { Db, Schema, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { recordChange } from '../history/record-change.ts';
import { StartError } from '../start-error.ts';
import { FIRST_INTAKE, LATEST_INTAKE } from './builders.ts';
import { FacultyLoader } from './faculty-loader.ts';
import { inventStudent, registrationNumbers } from './invent-student.ts';
import { seededRandom } from './random.ts';
import { isEmpty, SEEDER, type SeedOptions, seedCatalogue } from './seed-faculty.ts';

/** Students stored at once. */
const BATCH = 2_000;

/**
 * Fills an empty database with a faculty of any size and all its former students: the same people as `seedFaculty`
 * makes, and the same tables after it, many times as fast. All in one transaction: when it is broken off, the
 * database is as empty as before. The history gets one entry for all students, since nobody entered them one by one.
 */
export async function fillFaculty(
  db: Db,
  { students, seed, intakes = LATEST_INTAKE - FIRST_INTAKE + 1, onProgress }: SeedOptions,
): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await isEmpty(tx))) throw new StartError('So many students go into an empty database only.');
    await takeTime(tx);
    const random = seededRandom(seed);
    await seedCatalogue(tx, random);
    const makeIndexes = await dropIndexes(tx, ['students', 'semester_subjects']);
    const faculty = await FacultyLoader.open(tx);
    let done = 0;
    for (const { id, joined } of registrationNumbers(random, { students, intakes })) {
      faculty.add(inventStudent(random, id, joined));
      done += 1;
      if (done % BATCH === 0) await faculty.store();
      onProgress?.(done);
    }
    await faculty.end();
    await makeIndexes();
    await recordChange(tx, SEEDER, {
      action: 'create',
      entity: 'student',
      // No student's ID.
      entityId: '*',
      after: { students, seed, intakes },
    });
  });
  await measureTables(db);
}

/** Makes an index after its table: in one sweep in the order of its keys, instead of row by row all over it. */
async function dropIndexes(tx: Tx, tables: readonly (keyof Schema)[]): Promise<() => Promise<void>> {
  const indexes: { name: string; statement: string }[] = [];
  for (const table of tables) indexes.push(...(await indexesOf(tx, table)));
  for (const { name } of indexes) await tx.schema.dropIndex(name).execute();
  return async () => {
    for (const { statement } of indexes) await sql.raw(statement).execute(tx);
  };
}
