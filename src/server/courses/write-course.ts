import type { z } from 'zod';
import type { Course, CourseInput, courseUpdate } from '../../contract/courses.ts';
import { NO_MARKS } from '../../domain/statistics.ts';
import type { Tx } from '../db/schema.ts';
import { AppError, invalid, TAKEN } from '../errors.ts';
import { firstVersion, OF_COURSE } from '../history/first-version.ts';
import { type Author, changesNothing, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/versions.ts';
import { lockCourse, presentCourse } from './queries.ts';
import { lastPiece, setMarksAside } from './replace-marks.ts';

export interface VersionedCourse {
  course: Course;
  version: number;
}

export const noSuchCourse = () => new AppError('not-found', 'There is no course with this ID.');

/** Adds a course to the catalogue, without marks. */
export async function createCourse(tx: Tx, author: Author, input: CourseInput): Promise<VersionedCourse> {
  const row = await tx
    .insertInto('courses')
    .values({
      ...input,
      tally: JSON.stringify(NO_MARKS),
      version: await firstVersion(tx, OF_COURSE, input.course_id),
    })
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
}

/** Changes what a course is called; its marks stay as they are. */
export async function updateCourse(
  tx: Tx,
  author: Author,
  courseId: number,
  { course_id, ...input }: z.infer<typeof courseUpdate>,
  ifMatch: string | undefined,
): Promise<VersionedCourse> {
  if (course_id !== undefined && course_id !== courseId) {
    throw invalid('course_id', 'The course id must stay as it is.');
  }
  const before = await lockCourse(tx, courseId);
  if (before === undefined) throw noSuchCourse();
  requireVersion(ifMatch, versionPart.course(before.version), presentCourse(before));
  if (changesNothing(author, before, input)) {
    return { course: presentCourse(before), version: before.version };
  }
  const after = await tx
    .updateTable('courses')
    .set({ ...input, version: before.version + 1 })
    .where('course_id', '=', courseId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const course = presentCourse(after);
  await recordChange(tx, author, {
    action: 'update',
    entity: 'course',
    entityId: courseId,
    before: presentCourse(before),
    after: course,
  });
  return { course, version: after.version };
}

/** Removes a course and its marks. Results that name it keep its title, number and credit hours. */
export async function deleteCourse(
  tx: Tx,
  author: Author,
  courseId: number,
  ifMatch: string | undefined,
): Promise<void> {
  const before = await lockCourse(tx, courseId);
  if (before === undefined) throw noSuchCourse();
  requireVersion(ifMatch, versionPart.course(before.version), presentCourse(before));
  const entry = await recordChange(tx, author, {
    action: 'delete',
    entity: 'course',
    entityId: courseId,
    before: presentCourse(before),
  });
  await setMarksAside(tx, courseId, entry, await lastPiece(tx, courseId));
  await tx.deleteFrom('courses').where('course_id', '=', courseId).execute();
}
