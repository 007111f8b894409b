import type { Course, CourseInput } from '../../contract/courses.ts';
import type { Db } from '../db/schema.ts';
import { invalid, TAKEN } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { presentCourse } from './queries.ts';

/** Adds a course to the catalogue, without marks. */
export async function createCourse(
  db: Db,
  author: Author,
  input: CourseInput,
): Promise<{ course: Course; version: number }> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('courses')
      .values({ ...input, marks_count: 0, average: null, std_dev: null, histogram: '[]', version: 1 })
      .onConflict((conflict) => conflict.column('course_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw invalid('course_id', TAKEN('id'));
    const course = presentCourse(row);
    await recordChange(tx, author, {
      action: 'create',
      entity: 'course',
      entityId: row.course_id,
      after: course,
    });
    return { course, version: row.version };
  });
}
