import type { Db } from '../../src/server/db/schema.ts';
import { transact } from '../../src/server/db/transact.ts';
import { relist } from '../../src/server/students/listing.ts';
import { studentColumns } from '../../src/server/students/present.ts';
import { aStudent, unique } from './records.ts';

/** Puts students into a class that no other test has, past the calls, since there are many. */
export async function fillClass(db: Db, count: number): Promise<string> {
  const degree = unique();
  const students = Array.from({ length: count }, (_, i) =>
    studentColumns(aStudent({ id: `${degree}-${i}`, degree })),
  );
  await transact(db, async (tx) => {
    for (let i = 0; i < count; i += 100) {
      const some = students.slice(i, i + 100).map((student) => ({ ...student, version: 1 }));
      await tx.insertInto('students').values(some).execute();
      await relist(tx, new Map(some.map(({ id }) => [id, undefined])));
    }
  });
  return degree;
}

/** A file of them is larger than what the ends of a connection, or of two, hold. */
export async function fillClassWithMuch(db: Db, count = 4_000): Promise<string> {
  const degree = await fillClass(db, count);
  const long = '学'.repeat(255);
  await db
    .updateTable('students')
    .set({ first_name: long, last_name: long, phone_number: long })
    .where('degree', '=', degree)
    .execute();
  return degree;
}
