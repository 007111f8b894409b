import type { Student } from '../../contract/students.ts';
import { ResultCounts } from '../academics/course-results.ts';
import type { Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Author } from '../history/record-change.ts';
import { CohortCounts } from './listing.ts';
import { presentStudent } from './present.ts';
import { findStudent, isStudentId } from './queries.ts';
import { type Deletion, restoreRecords } from './restore-records.ts';
import type { Versioned } from './write-student.ts';

/**
 * Brings back a deleted student with family and results, as they were.
 *
 * @param entry number of the deletion in the history, where it is not the last one of this id that is meant
 * @throws AppError not-found when none was deleted, conflict when the id is in use again
 */
export async function restoreStudent(
  tx: Tx,
  author: Author,
  id: string,
  entry: number | undefined,
): Promise<Versioned<Student>> {
  if ((await findStudent(tx, id)) !== undefined) throw idInUse();
  const deleted = await findDeleted(tx, id, entry);
  if (deleted === undefined) throw new AppError('not-found', 'No student with this ID has been deleted.');
  const sums = { counts: new CohortCounts(), results: new ResultCounts() };
  const [row] = await restoreRecords(tx, author, [deleted], sums);
  // Entered again at this very moment.
  if (row === undefined) throw idInUse();
  await sums.results.store(tx);
  await sums.counts.store(tx);
  return { thing: presentStudent(row), version: row.version };
}

const idInUse = () =>
  new AppError('conflict', 'There is a student with this ID again, so the old record can not be restored.');

/** What the history keeps of the student deleted last under this id, or by the entry that is named. */
async function findDeleted(tx: Tx, id: string, entry: number | undefined): Promise<Deletion | undefined> {
  if (!isStudentId(id)) return undefined;
  return tx
    .selectFrom('history')
    .select((eb) => ['id', eb.ref('before').$notNull().as('before')])
    .where('entity', '=', 'student')
    .where('entity_id', '=', id)
    .where('action', '=', 'delete')
    .$if(entry !== undefined, (query) => query.where('id', '=', entry ?? 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
