import type { CourseListed } from '../../contract/courses.ts';
import { folded } from '../../domain/search-text.ts';

/** A course together with the text it is found by. */
export interface FoundCourse {
  course: CourseListed;
  searchText: string;
}

export const toFoundCourse = (course: CourseListed): FoundCourse => ({
  course,
  searchText: folded(`${course.course_code} ${course.course_id} ${course.course_name}`),
});

/** The courses in which every term stands. */
export const coursesWith = (courses: readonly FoundCourse[], terms: readonly string[]) =>
  courses.filter(({ searchText }) => terms.every((term) => searchText.includes(term)));
