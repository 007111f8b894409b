import { Link } from '@tanstack/react-router';
import type { CourseResults } from '../../../contract/insights.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { SortableHeader, TableContainer } from '../../ui/table.tsx';
import type { RateColumn } from '../search-params.ts';
import { CountLink } from '../students-link.tsx';
import { courseTitle, type PassRateSort, passRate } from './pass-rate-sort.ts';

interface PassRatesTableProps {
  courses: readonly CourseResults[];
  order: PassRateSort;
  onSort: (column: RateColumn) => void;
}

/** Courses with their results; the pass rate is also drawn as a bar. */
export function PassRatesTable({ courses, order, onSort }: PassRatesTableProps) {
  const head = (column: RateColumn) => ({
    direction: order.column === column ? order.direction : undefined,
    onSort: () => onSort(column),
  });
  return (
    <TableContainer className="overflow-x-auto">
      <table className="tbl tbl-compact">
        <caption className="sr-only">Pass rates</caption>
        <thead>
          <tr>
            <SortableHeader {...head('course')}>Course</SortableHeader>
            <SortableHeader {...head('results')} isNumber className="max-sm:hidden">
              Results
            </SortableHeader>
            <SortableHeader {...head('failed')} isNumber>
              Failed
            </SortableHeader>
            <SortableHeader {...head('rate')} isNumber>
              Pass rate
            </SortableHeader>
          </tr>
        </thead>
        <tbody>
          {courses.map((course) => (
            <tr key={course.course_id}>
              <th scope="row" className="strong wrap-anywhere">
                <CourseName course={course} />
                <span className="block font-normal text-caption text-fg-3 sm:hidden">
                  {formatCount(course.results)} {course.results === 1 ? 'result' : 'results'}
                </span>
              </th>
              <td className="num max-sm:hidden">{formatCount(course.results)}</td>
              <td className="num">
                <CountLink count={course.failed} filters={{ failed: String(course.course_id) }} />
              </td>
              <td className="num whitespace-nowrap">
                <RateBar rate={passRate(course)} />
                {formatPercent(course.results - course.failed, course.results)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}

function CourseName({ course }: { course: CourseResults }) {
  if (course.course_name === null) {
    return (
      <>
        {courseTitle(course)} <span className="font-normal text-fg-3">deleted since</span>
      </>
    );
  }
  return (
    <Link
      to="/courses/$courseId"
      params={{ courseId: String(course.course_id) }}
      className="link link-quiet inline-block leading-6"
    >
      {courseTitle(course)}
    </Link>
  );
}

/** Decorative: the number is next to it. */
function RateBar({ rate }: { rate: number }) {
  return (
    <svg
      className="me-3 inline-block h-2 w-[clamp(0px,18vw,16rem)] align-middle max-sm:hidden"
      aria-hidden="true"
    >
      <rect width="100%" height="100%" rx="1" className="fill-press" />
      <rect width={`${rate * 100}%`} height="100%" rx="1" className="fill-plot-1" />
    </svg>
  );
}
