import { useQuery } from '@tanstack/react-query';
import type { CourseListItem } from '../../../contract/courses.ts';
import { foldText } from '../../../domain/search-text.ts';
import { coursesQuery } from '../../courses/course-queries.ts';
import { foldCode } from '../../courses/course-search.ts';
import { type ColumnChoices, courseOfField } from './column-choices.ts';

/** The courses that columns with grades can be read as; none for other files, and until they are read. */
export function useCourses({ layout }: Pick<ColumnChoices, 'layout'>): readonly CourseListItem[] {
  return useQuery({ ...coursesQuery, enabled: layout === 'column-per-course' }).data ?? [];
}

/** The courses that a field with grades may mean, by ID, code or title as the import finds them; undefined for other fields. */
export function namedCourses(
  courses: readonly CourseListItem[],
  field: string | undefined,
): readonly CourseListItem[] | undefined {
  const name = field === undefined ? undefined : courseOfField(field)?.trim();
  if (name === undefined) return undefined;
  const exact = courses.filter(
    ({ course_id, course_code }) => String(course_id) === name || course_code === name,
  );
  if (exact.length > 0) return exact;
  const coded = courses.filter(({ course_code }) => foldCode(course_code) === foldCode(name));
  return coded.length > 0
    ? coded
    : courses.filter(({ course_name }) => foldText(course_name) === foldText(name));
}

/** Whether it is not certain of which course a column has the grades. */
export const asksForCourse = (courses: readonly CourseListItem[], field: string | undefined): boolean => {
  const found = namedCourses(courses, field);
  return courses.length > 0 && found !== undefined && found.length !== 1;
};
