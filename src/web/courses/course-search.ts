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

/** Whether a text with a folded code has every term, a code also without its hyphen or with one. */
export function termMatcher(terms: readonly string[]): (searchText: string) => boolean {
  const forms = terms.map((term) => [term, foldCode(term) || term] as const);
  return (searchText) =>
    forms.every(([term, code]) => searchText.includes(term) || searchText.includes(code));
}

/** The courses that match every term. */
export function searchCourses(courses: readonly SearchableCourse[], terms: readonly string[]) {
  const matches = termMatcher(terms);
  return courses.filter(({ searchText }) => matches(searchText));
}
