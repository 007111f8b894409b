import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../src/server/db/database.ts';
import type { Tx } from '../../../src/server/db/schema.ts';
import { reindexAll } from '../../../src/server/students/derived/reindex.ts';

/** The names of the derived data that differ from recomputed ones. */
export async function outdatedDerivedData({ write }: Pick<Database, 'write'>): Promise<string[]> {
  return write.transaction().execute(async (tx) => {
    const kept = await readDerivedData(tx);
    await reindexAll(tx);
    const recomputed = await readDerivedData(tx);
    return Object.keys(kept).filter((name) => !isDeepStrictEqual(kept[name], recomputed[name]));
  });
}

async function readDerivedData(tx: Tx): Promise<Record<string, string[]>> {
  // Rows with a count of 0 may remain.
  const tables = {
    student_terms: await tx.selectFrom('student_terms').selectAll().execute(),
    cohorts: await tx.selectFrom('cohorts').selectAll().where('students', '<>', 0).execute(),
    batch_counts: await tx.selectFrom('batch_counts').selectAll().where('students', '<>', 0).execute(),
    cohort_cgpas: await tx.selectFrom('cohort_cgpas').selectAll().where('students', '<>', 0).execute(),
    course_results: await tx.selectFrom('course_results').selectAll().where('results', '<>', 0).execute(),
    students: await tx
      .selectFrom('students')
      .select(['id', 'id_key', 'name_key', 'degree_key', 'search_text'])
      .select(['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'is_complete', 'is_active', 'standing'])
      .execute(),
  };
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).sort()]),
  );
}
