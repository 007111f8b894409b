import { setImmediate } from 'node:timers/promises';
import type { Course } from '../../contract/courses.ts';
import { type MarksTally, mergeTallies } from '../../domain/statistics.ts';
import type { Tx } from '../db/schema.ts';
import { invalid } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import { lockCourse, presentCourse, tallyOf } from './queries.ts';
import { lastPiece, setMarksAside } from './replace-marks.ts';

export interface MarksToStore {
  tally: MarksTally;
  pieces: readonly string[];
  /** Beside the marks that are there, instead of in their place. */
  append: boolean;
}

/** Stores a course's marks with what is counted of them, in one transaction. */
export async function storeMarks(
  tx: Tx,
  author: Author,
  courseId: number,
  { tally, pieces, append }: MarksToStore,
  ifMatch?: string,
): Promise<{ course: Course; version: number }> {
  const before = await lockCourse(tx, courseId);
  if (before === undefined) throw invalid('course_id', 'The course id must be that of an existing course.');
  requireVersion(ifMatch, versionPart.course(before.version), presentCourse(before));
  const last = await lastPiece(tx, courseId);
  for (const [i, marks] of pieces.entries()) {
    await tx
      .insertInto('course_marks')
      .values({ course_id: courseId, piece: last + i + 1, marks })
      .execute();
    // Readers go on between the pieces; other writers wait for the transaction.
    await setImmediate();
  }
  const after = await tx
    .updateTable('courses')
    .set({
      tally: JSON.stringify(append ? mergeTallies(tallyOf(before), tally) : tally),
      version: before.version + 1,
    })
    .where('course_id', '=', courseId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const course = presentCourse(after);
  const entry = await recordChange(tx, author, {
    action: 'update',
    entity: 'marks',
    entityId: courseId,
    before: presentCourse(before),
    after: course,
  });
  if (!append) await setMarksAside(tx, courseId, entry, last);
  return { course, version: after.version };
}
