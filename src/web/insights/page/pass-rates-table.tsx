import { Link } from '@tanstack/react-router';
import type { CourseResults } from '../../../contract/insights.ts';
import { formatCount, formatPercent, plural } from '../../lib/format.ts';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
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
  const sort = (column: RateColumn) => ({
    direction: order.column === column ? order.direction : undefined,
    onSort: () => onSort(column),
  });
  const columns: readonly Column<CourseResults>[] = [
    {
      head: 'Course',
      isRowHead: true,
      sort: sort('course'),
      className: 'strong wrap-anywhere',
      cell: (course) => (
        <>
          <CourseName course={course} />
          <span className="block font-normal text-caption text-fg-3 sm:hidden">
            {plural(course.results, 'result')}
          </span>
        </>
      ),
    },
    {
      head: 'Results',
      isNumber: true,
      sort: sort('results'),
      columnClass: 'max-sm:hidden',
      cell: ({ results }) => formatCount(results),
    },
    {
      head: 'Failed',
      isNumber: true,
      sort: sort('failed'),
      cell: ({ failed, course_id }) => <CountLink count={failed} filters={{ failed: String(course_id) }} />,
    },
    {
      head: 'Pass rate',
      isNumber: true,
      sort: sort('rate'),
      className: 'whitespace-nowrap',
      cell: (course) => (
        <>
          <RateBar rate={passRate(course)} />
          {formatPercent(course.results - course.failed, course.results)}
        </>
      ),
    },
  ];
  return (
    <TableContainer className="overflow-x-auto">
      <Table
        isCompact
        label="Pass rates"
        columns={columns}
        rows={courses}
        rowKey={({ course_id }) => course_id}
      />
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
