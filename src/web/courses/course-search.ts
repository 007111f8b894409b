import type { CourseListItem } from '../../contract/courses.ts';
import { foldText } from '../../domain/search-text.ts';

/** A course with the text that is searched. */
export interface SearchableCourse {
  course: CourseListItem;
  searchText: string;
}

/** Codes are compared without spaces and dashes, so that `ee 206` and `ee206` are `EE-206`. */
export const foldCode = (code: string) => foldText(code).replaceAll(/[\s\u2010-\u2015-]/g, '');

export const toSearchableCourse = (course: CourseListItem): SearchableCourse => ({
  course,
  searchText: [
    foldText(`${course.course_code} ${course.course_id} ${course.course_name}`),
    foldCode(course.course_code),
  ].join(' '),
});

/** The courses that match every term, a code also without its hyphen or with one. */
export const searchCourses = (courses: readonly SearchableCourse[], terms: readonly string[]) =>
  courses.filter(({ searchText }) =>
    terms.every((term) => searchText.includes(term) || searchText.includes(foldCode(term) || term)),
  );
