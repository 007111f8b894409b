import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../src/server/db/open.ts';
import type { Tx } from '../../../src/server/db/schema.ts';
import { relistAll } from '../../../src/server/students/listing.ts';

/** How what the list works out of the records differs from what it is when worked out anew; empty when it does not. */
export async function outdatedReadModels({ write }: Pick<Database, 'write'>): Promise<string[]> {
  return write.transaction().execute(async (tx) => {
    const kept = await readModels(tx);
    await relistAll(tx);
    const anew = await readModels(tx);
    return Object.keys(kept).filter((name) => !isDeepStrictEqual(kept[name], anew[name]));
  });
}

async function readModels(tx: Tx): Promise<Record<string, string[]>> {
  // Rows of none may stay.
  const tables = {
    student_terms: await tx.selectFrom('student_terms').selectAll().execute(),
    cohorts: await tx.selectFrom('cohorts').selectAll().where('students', '<>', 0).execute(),
    cohort_cgpas: await tx.selectFrom('cohort_cgpas').selectAll().where('students', '<>', 0).execute(),
    course_results: await tx.selectFrom('course_results').selectAll().where('results', '<>', 0).execute(),
    students: await tx
      .selectFrom('students')
      .select(['id', 'id_key', 'name_key', 'degree_key', 'search_text', 'cgpa', 'fall', 'is_complete'])
      .execute(),
  };
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).sort()]),
  );
}
