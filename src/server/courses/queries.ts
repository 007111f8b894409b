import type { Course, CourseListed } from '../../contract/courses.ts';
import type { Db, Schema } from '../db/schema.ts';

type CourseRow = Schema['courses'];

export function findCourse(db: Db, courseId: number): Promise<CourseRow | undefined> {
  return db.selectFrom('courses').selectAll().where('course_id', '=', courseId).executeTakeFirst();
}

export function presentCourse({ version: _version, histogram: _histogram, ...course }: CourseRow): Course {
  return course;
}

export async function listCourses(db: Db): Promise<CourseListed[]> {
  const rows = await db.selectFrom('courses').selectAll().orderBy('course_id').execute();
  return rows.map((row) => ({ ...presentCourse(row), histogram: JSON.parse(row.histogram) }));
}
