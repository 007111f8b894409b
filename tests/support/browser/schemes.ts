import { randomInt } from 'node:crypto';
import type { CourseInput } from '../../../src/contract/courses.ts';
import type { Api } from '../api.ts';
import { unique } from '../records.ts';

/** Courses with codes that no other test uses, in this order. */
export async function addCourses(
  api: Api,
  names: readonly string[],
  credits = 3,
): Promise<(CourseInput & { credits: number })[]> {
  const mark = unique();
  return Promise.all(
    names.map(async (course_name, i) => {
      const course = {
        course_id: randomInt(10_000, 2 ** 40),
        course_code: `S${i + 1}-${mark}`,
        course_name: `${course_name} ${mark}`,
        course_description: null,
        credits,
      };
      await api.post('/api/courses', course);
      return course;
    }),
  );
}
