import type { CourseListItem } from '../../contract/courses.ts';
import { foldText } from '../../domain/search-text.ts';

/** A course with the text that is searched. */
export interface SearchableCourse {
  course: CourseListItem;
  searchText: string;
}

export const toSearchableCourse = (course: CourseListItem): SearchableCourse => ({
  course,
  searchText: foldText(`${course.course_code} ${course.course_id} ${course.course_name}`),
});

/** The courses that match every term. */
export const searchCourses = (courses: readonly SearchableCourse[], terms: readonly string[]) =>
  courses.filter(({ searchText }) => terms.every((term) => searchText.includes(term)));
