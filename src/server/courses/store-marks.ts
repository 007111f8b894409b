import type { Course } from '../../contract/courses.ts';
import { summarizeMarks } from '../../domain/statistics.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { findCourse, presentCourse } from './queries.ts';

/** Rows of one insert: three parameters each, well under what either engine takes in a statement. */
const ROWS_AT_ONCE = 500;

/** Replaces a course's marks, with its histogram and statistics, in one transaction. */
export async function replaceMarks(
  db: Db,
  author: Author,
  courseId: number,
  marks: readonly number[],
): Promise<Course> {
  return db.transaction().execute(async (tx) => {
    const before = await findCourse(tx, courseId);
    if (before === undefined) throw new AppError('not-found', 'There is no such course.');
    await tx.deleteFrom('course_marks').where('course_id', '=', courseId).execute();
    await insertMarks(tx, courseId, marks);
    const { count, average, std_dev, histogram } = summarizeMarks(marks);
    const after = await tx
      .updateTable('courses')
      .set({
        marks_count: count,
        average,
        std_dev,
        histogram: JSON.stringify(histogram),
        version: before.version + 1,
      })
      .where('course_id', '=', courseId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, author, {
      action: 'update',
      entity: 'marks',
      entityId: courseId,
      before: presentCourse(before),
      after: presentCourse(after),
    });
    return presentCourse(after);
  });
}

async function insertMarks(tx: Tx, course_id: number, marks: readonly number[]): Promise<void> {
  for (let start = 0; start < marks.length; start += ROWS_AT_ONCE) {
    await tx
      .insertInto('course_marks')
      .values(
        marks
          .slice(start, start + ROWS_AT_ONCE)
          .map((mark, i) => ({ course_id, position: start + i + 1, mark })),
      )
      .execute();
  }
}
