import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Course, CourseInput, courseUpdate } from '../../contract/courses.ts';
import { EMPTY_TALLY } from '../../domain/statistics.ts';
import type { CoursesTable, Tx } from '../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../errors.ts';
import {
  type Author,
  COURSE_ENTITIES,
  firstVersion,
  recordChange,
  recordNumberedChange,
} from '../history/record-change.ts';
import { changeRecord, type RecordKind, requireCurrent } from '../http/change-record.ts';
import { versionPart } from '../http/etags.ts';
import { lockCourse, presentCourse } from './queries.ts';
import { archiveMarks, lastPieceNumber } from './store-marks.ts';

export interface VersionedCourse {
  course: Course;
  version: number;
}

const COURSE: RecordKind<Selectable<CoursesTable>> = {
  entity: 'course',
  entities: COURSE_ENTITIES,
  versionPart: versionPart.course,
  present: presentCourse,
};

export const noSuchCourse = () => new AppError('not-found', 'There is no course with this ID.');

/** Adds a course to the catalogue, without marks. */
export async function createCourse(tx: Tx, author: Author, input: CourseInput): Promise<VersionedCourse> {
  const row = await tx
    .insertInto('courses')
    .values({
      ...input,
      tally: JSON.stringify(EMPTY_TALLY),
      version: await firstVersion(tx, COURSE_ENTITIES, input.course_id),
    })
    .onConflict((conflict) => conflict.column('course_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalidField('course_id', alreadyTaken('id'));
  const course = presentCourse(row);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'course',
    entityId: row.course_id,
    after: course,
  });
  return { course, version: row.version };
}

/** Changes the code, name, description and credit hours of a course, not its marks. */
export async function updateCourse(
  tx: Tx,
  author: Author,
  courseId: number,
  { course_id, ...input }: z.infer<typeof courseUpdate>,
  ifMatch: string | undefined,
): Promise<VersionedCourse> {
  if (course_id !== undefined && course_id !== courseId) {
    throw invalidField('course_id', 'The course id must stay as it is.');
  }
  const before = await lockCourse(tx, courseId);
  if (before === undefined) throw noSuchCourse();
  await requireCurrent(tx, COURSE, { id: courseId, row: before }, ifMatch);
  const details = { ...input, credits: input.credits === undefined ? before.credits : input.credits };
  const store = (version: number) =>
    tx
      .updateTable('courses')
      .set({ ...details, version })
      .where('course_id', '=', courseId)
      .returningAll()
      .executeTakeFirstOrThrow();
  const after = await changeRecord(tx, author, COURSE, {
    id: courseId,
    row: before,
    columns: details,
    store,
  });
  return { course: presentCourse(after), version: after.version };
}

/** Deletes a course and its marks. Results keep the course's title, number and credit hours. */
export async function deleteCourse(
  tx: Tx,
  author: Author,
  courseId: number,
  ifMatch: string | undefined,
): Promise<void> {
  const before = await lockCourse(tx, courseId);
  if (before === undefined) throw noSuchCourse();
  await requireCurrent(tx, COURSE, { id: courseId, row: before }, ifMatch);
  const entry = await recordNumberedChange(tx, author, {
    action: 'delete',
    entity: 'course',
    entityId: courseId,
    before: presentCourse(before),
  });
  await archiveMarks(tx, courseId, entry, await lastPieceNumber(tx, courseId));
  // The sheets keep their totals.
  await tx.deleteFrom('course_marks').where('course_id', '=', courseId).execute();
  await tx.deleteFrom('courses').where('course_id', '=', courseId).execute();
}
