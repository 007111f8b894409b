import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Course } from '../../contract/courses.ts';
import { call, callWithVersion } from '../lib/call.ts';

/** A course as `CS-101 Databases`. */
export const formatCourse = ({ course_code, course_name }: Pick<Course, 'course_code' | 'course_name'>) =>
  `${course_code} ${course_name}`;

/** @returns `course` if `canProceed`, otherwise `message`; with the version, for a later edit */
export async function fetchCourse(courseId: string, signal?: AbortSignal) {
  const params = { course_id: courseId };
  const { body, version } = await callWithVersion('GET /api/courses/:course_id', { params, signal });
  return { ...body, version };
}

export const courseQuery = (courseId: string) =>
  queryOptions({
    queryKey: ['courses', 'one', courseId],
    queryFn: ({ signal }) => fetchCourse(courseId, signal),
  });

/** The same for a form. Never cached: a form must start from the stored values. */
export const editCourseQuery = (courseId: string) =>
  queryOptions({
    ...courseQuery(courseId),
    queryKey: ['courses', 'to-edit', courseId],
    gcTime: 0,
    staleTime: 0,
  });

/** The records that use a course. Not cached: it is read before the course is deleted. */
export const courseUsesQuery = (courseId: string) =>
  queryOptions({
    queryKey: ['courses', 'uses', courseId],
    queryFn: ({ signal }) =>
      call('GET /api/courses/:course_id/uses', { params: { course_id: courseId }, signal }),
    gcTime: 0,
  });

/** The course catalogue. */
export const coursesQuery = queryOptions({
  queryKey: ['courses', 'list'],
  queryFn: ({ signal }) => call('GET /api/courses', { signal }),
});

/** Marks of a course in ten buckets; empty without marks. */
export const histogramQuery = (courseId: number) =>
  queryOptions({
    queryKey: ['courses', 'histogram', courseId],
    queryFn: ({ signal }) =>
      call('GET /api/courses/histogram/:course_id', { params: { course_id: courseId }, signal }),
    retry: false,
  });

/** After a save or delete: removes all cached data of the course, so that stale data is never shown. */
export function invalidateCourse(queries: QueryClient, courseId: string): void {
  queries.removeQueries({ queryKey: ['courses', 'list'] });
  queries.removeQueries({ queryKey: ['courses', 'one', courseId] });
  queries.removeQueries({ queryKey: ['courses', 'histogram', Number(courseId)] });
}
