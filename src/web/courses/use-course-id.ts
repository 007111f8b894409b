import { useParams } from '@tanstack/react-router';

/** The course whom the address is about; it may hold anything, so it stays the text that it is. */
export function useCourseId(): string {
  const { courseId } = useParams({ strict: false });
  if (courseId === undefined) throw new Error('This address names no course.');
  return courseId;
}
