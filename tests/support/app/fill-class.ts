import type { StudentInput } from '../../../src/contract/students/students.ts';
import type { Db } from '../../../src/server/db/schema.ts';
import { transact } from '../../../src/server/history/transaction.ts';
import { reindex } from '../../../src/server/students/derived/reindex.ts';
import { studentColumns } from '../../../src/server/students/queries.ts';
import { aStudent, unique } from '../records.ts';

/** Inserts students of a class that no other test uses, directly into the database, because they are many. */
export async function fillClass(db: Db, count: number): Promise<string> {
  const degree = unique();
  await insertStudents(
    db,
    Array.from({ length: count }, (_, i) => aStudent({ id: `${degree}-${i}`, degree })),
  );
  return degree;
}

/** Inserts base records with their list index, without history entries. */
export async function insertStudents(db: Db, students: readonly StudentInput[]): Promise<void> {
  await transact(db, async (tx) => {
    for (let i = 0; i < students.length; i += 100) {
      const some = students.slice(i, i + 100).map((student) => ({ ...studentColumns(student), version: 1 }));
      await tx.insertInto('students').values(some).execute();
      await reindex(tx, new Map(some.map(({ id }) => [id, undefined])));
    }
  });
}

/** Number of students whose export is larger than the socket buffers of two connections. */
export const LARGE_CLASS = 1_000;

/** Their texts are longer than the product allows: more students would take far longer to insert. */
export async function fillLargeClass(db: Db): Promise<string> {
  const degree = await fillClass(db, LARGE_CLASS);
  const long = '学'.repeat(1_500);
  await db
    .updateTable('students')
    .set({ first_name: long, last_name: long, phone_number: long })
    .where('degree', '=', degree)
    .execute();
  return degree;
}
