import type { CourseResults } from '../../../contract/insights.ts';
import type { SortDirection } from '../../ui/table.tsx';
import type { RateColumn } from '../search-params.ts';

export interface PassRateSort {
  column: RateColumn;
  direction: SortDirection;
}

/** The code of a course; of a deleted course only the ID is known. */
export const courseTitle = ({ course_id, course_code, course_name }: CourseResults) =>
  course_name === null ? `Course ${course_id}` : `${course_code} ${course_name}`;

export const passRate = ({ results, failed }: CourseResults) => (results - failed) / results;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const COMPARE: Record<RateColumn, (a: CourseResults, b: CourseResults) => number> = {
  course: (a, b) => collator.compare(courseTitle(a), courseTitle(b)),
  results: (a, b) => a.results - b.results,
  failed: (a, b) => a.failed - b.failed,
  rate: (a, b) => passRate(a) - passRate(b),
};

/** Courses with at least `minResults` results, sorted; ties are ordered by more results first. */
export function sortCourses(
  courses: readonly CourseResults[],
  minResults: number,
  { column, direction }: PassRateSort,
): CourseResults[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return courses
    .filter(({ results }) => results >= minResults)
    .toSorted((a, b) => sign * COMPARE[column](a, b) || b.results - a.results || a.course_id - b.course_id);
}
