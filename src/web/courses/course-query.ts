import { queryOptions } from '@tanstack/react-query';
import type { Course } from '../../contract/courses.ts';
import { callVersioned } from '../api.ts';

/** What the server says about a course: `course` is there when `canProceed`, `message` when not. */
interface CourseShown {
  canProceed: boolean;
  course?: Course;
  message: string;
}

/** Address of a course's calls; an ID from the address bar can hold anything. */
export const coursePath = (courseId: string) => `/api/courses/${encodeURIComponent(courseId)}`;

/** @returns the answer together with the version that an edit of the course is to be based on */
export async function readCourse(courseId: string, signal?: AbortSignal) {
  const { body, version } = await callVersioned<CourseShown>('GET', coursePath(courseId), { signal });
  return { ...body, version };
}

export const courseQuery = (courseId: string) =>
  queryOptions({
    queryKey: ['courses', 'one', courseId],
    queryFn: ({ signal }) => readCourse(courseId, signal),
  });

/** The same for a form. Not kept: a form must begin with what is stored now. */
export const courseToEditQuery = (courseId: string) =>
  queryOptions({
    ...courseQuery(courseId),
    queryKey: ['courses', 'to-edit', courseId],
    gcTime: 0,
    staleTime: 0,
  });
