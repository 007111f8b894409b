import { Link } from '@tanstack/react-router';
import type { CourseResults } from '../../contract/insights.ts';
import { SortHead, TableBox } from '../ui/data-table.tsx';
import { countText, shareText } from './figure-texts.ts';
import type { RateColumn } from './insights-address.ts';
import { courseTitle, passRate, type RateOrder } from './rate-order.ts';
import { CountLink, studentsWith } from './students-link.tsx';

interface PassRatesTableProps {
  courses: readonly CourseResults[];
  order: RateOrder;
  onSort: (column: RateColumn) => void;
}

/** Courses with their results, and the pass rate as a bar beside its figure. */
export function PassRatesTable({ courses, order, onSort }: PassRatesTableProps) {
  const head = (column: RateColumn) => ({
    direction: order.column === column ? order.direction : undefined,
    onSort: () => onSort(column),
  });
  return (
    <TableBox className="overflow-x-auto">
      <table className="tbl tbl-compact">
        <caption className="sr-only">Pass rates</caption>
        <thead>
          <tr>
            <SortHead {...head('course')}>Course</SortHead>
            <SortHead {...head('results')} isNumber className="max-sm:hidden">
              Results
            </SortHead>
            <SortHead {...head('failed')} isNumber>
              Failed
            </SortHead>
            <SortHead {...head('rate')} isNumber>
              Pass rate
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {courses.map((course) => (
            <tr key={course.course_id}>
              <th scope="row" className="strong wrap-anywhere">
                <CourseName course={course} />
                <span className="block font-normal text-caption text-fg-3 sm:hidden">
                  {countText(course.results)} {course.results === 1 ? 'result' : 'results'}
                </span>
              </th>
              <td className="num max-sm:hidden">{countText(course.results)}</td>
              <td className="num">
                <CountLink
                  count={course.failed}
                  filters={studentsWith({ failed: String(course.course_id) })}
                />
              </td>
              <td className="num whitespace-nowrap">
                <RateBar rate={passRate(course)} />
                {shareText(course.results - course.failed, course.results)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
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

/** A decoration: the number beside it is the content. */
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
