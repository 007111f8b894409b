import type { Course, CourseListItem, CourseUses } from '../../contract/courses.ts';
import { type MarksTally, summarizeMarks } from '../../domain/statistics.ts';
import { locked } from '../db/dialect/locks.ts';
import type { CoursesTable, Db, Tx } from '../db/schema.ts';

export function findCourse(db: Db, courseId: number): Promise<CoursesTable | undefined> {
  return db.selectFrom('courses').selectAll().where('course_id', '=', courseId).executeTakeFirst();
}

/** Counts all that names a course. The number of results is kept by grade, since they are too many to be counted. */
export async function countUses(db: Db, row: CoursesTable): Promise<CourseUses> {
  const { course_id } = row;
  const { results } = await db
    .selectFrom('course_results')
    .select((eb) => eb.fn.sum<number | null>('results').as('results'))
    .where('course_id', '=', course_id)
    .executeTakeFirstOrThrow();
  const { sheets } = await db
    .selectFrom('sheets')
    .select((eb) => eb.fn.countAll<number>().as('sheets'))
    .where('course_id', '=', course_id)
    .executeTakeFirstOrThrow();
  return { results: Number(results ?? 0), sheets: Number(sheets), marks: parseTally(row).count };
}

/** The course's row, locked until the transaction ends. */
export function lockCourse(tx: Tx, courseId: number): Promise<CoursesTable | undefined> {
  return locked(
    tx,
    tx.selectFrom('courses').selectAll().where('course_id', '=', courseId),
  ).executeTakeFirst();
}

export const parseTally = (row: CoursesTable): MarksTally => JSON.parse(row.tally);

export function presentCourse(row: CoursesTable): Course {
  const { histogram: _, ...course } = presentCourseListItem(row);
  return course;
}

/** A course with its histogram, as the grid shows it. */
export function presentCourseListItem(row: CoursesTable): CourseListItem {
  const { course_id, course_code, course_name, course_description, credits } = row;
  const { count, average, std_dev, histogram } = summarizeMarks(parseTally(row));
  return {
    course_id,
    course_code,
    course_name,
    course_description,
    credits,
    average,
    std_dev,
    marks_count: count,
    histogram,
  };
}

/** Courses per page of the catalogue. */
export const CATALOGUE_PAGE = 200;

/** The next {@link CATALOGUE_PAGE} courses after an id (0 for the first), in order of their ids. */
export async function listCoursesAfter(db: Db, courseId: number): Promise<CourseListItem[]> {
  const rows = await db
    .selectFrom('courses')
    .selectAll()
    .where('course_id', '>', courseId)
    .orderBy('course_id')
    .limit(CATALOGUE_PAGE)
    .execute();
  return rows.map(presentCourseListItem);
}
