import { ResultCounts } from '../../academics/course-results.ts';
import type { Tx } from '../../db/schema.ts';
import type { Author } from '../../history/record-change.ts';
import { recordChanges } from '../../history/record-changes.ts';
import { CohortCounts, unlist } from '../listing.ts';
import { presentStudent } from '../present.ts';
import { findRecords } from '../queries.ts';
import { layOutRecord } from '../record.ts';
import { inPieces } from './in-pieces.ts';

/** Students deleted in one go: as many as take a few milliseconds. */
const PIECE = 40;

/** Removes students with families and results; the history keeps each of them whole. */
export async function deleteStudents(
  tx: Tx,
  author: Author,
  ids: readonly string[],
  bulkId: number,
): Promise<void> {
  const counts = new CohortCounts();
  const results = new ResultCounts();
  for await (const piece of inPieces(ids, PIECE)) {
    const rows = await tx.selectFrom('students').selectAll().where('id', 'in', piece).execute();
    const wholes = await wholeRecords(tx, piece);
    results.add(await resultsOf(tx, piece), -1);
    await unlist(tx, rows, counts);
    await tx.deleteFrom('students').where('id', 'in', piece).execute();
    await recordChanges(
      tx,
      author,
      rows.map((row) => ({
        action: 'delete',
        entity: 'student',
        entityId: row.id,
        before: wholes.get(row.id) ?? { student: presentStudent(row) },
      })),
      bulkId,
    );
  }
  await results.store(tx);
  await counts.store(tx);
}

/** Each record as it is answered; null without a family. */
async function wholeRecords(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const found = await findRecords(tx, ids);
  return new Map(found.map((parts) => [parts.id, JSON.parse(layOutRecord(parts.id, parts).json)]));
}

const resultsOf = (tx: Tx, ids: readonly string[]) =>
  tx
    .selectFrom('semester_subjects')
    .select(['course_id', 'half_points'])
    .where('student_id', 'in', ids)
    .where('course_id', 'is not', null)
    .execute();
