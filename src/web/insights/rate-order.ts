import type { CourseResults } from '../../contract/insights.ts';
import type { SortDirection } from '../ui/data-table.tsx';
import type { RateColumn } from './insights-address.ts';

export interface RateOrder {
  column: RateColumn;
  direction: SortDirection;
}

/** What a course is called; one that has been deleted only has its number left. */
export const courseTitle = ({ course_id, course_code, course_name }: CourseResults) =>
  course_name === null ? `Course ${course_id}` : `${course_code} ${course_name}`;

export const passRate = ({ results, failed }: CourseResults) => (results - failed) / results;

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const COMPARE: Record<RateColumn, (a: CourseResults, b: CourseResults) => number> = {
  course: (a, b) => naturally.compare(courseTitle(a), courseTitle(b)),
  results: (a, b) => a.results - b.results,
  failed: (a, b) => a.failed - b.failed,
  rate: (a, b) => passRate(a) - passRate(b),
};

/** Courses with so many results, in order; among equals those with more results come first. */
export function coursesInOrder(
  courses: readonly CourseResults[],
  least: number,
  { column, direction }: RateOrder,
): CourseResults[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return courses
    .filter(({ results }) => results >= least)
    .toSorted((a, b) => sign * COMPARE[column](a, b) || b.results - a.results || a.course_id - b.course_id);
}
