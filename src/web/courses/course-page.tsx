import { useQuery } from '@tanstack/react-query';
import { History, Pencil, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Histogram as Bins, Course } from '../../contract/courses.ts';
import { binLabels } from '../../domain/statistics.ts';
import { BucketTable } from '../charts/bucket-table.tsx';
import { Histogram } from '../charts/histogram-chart.tsx';
import { HistogramSkeleton } from '../charts/histogram-placeholders.tsx';
import { formatCount, plural } from '../lib/format.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { useCanWrite } from '../lib/session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { BackLink } from '../ui/page/back-link.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Page } from '../ui/page/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { courseQuery, formatCourse, histogramQuery } from './course-queries.ts';
import { useCourseId, useCourseNotFoundRedirect } from './course-redirects.ts';

/** One course with its marks. */
export function CoursePage() {
  const courseId = useCourseId();
  const shown = usePageQuery({ ...courseQuery(courseId), loading: 'course' });
  useCourseNotFoundRedirect(shown);
  return (
    <Page>
      <BackLink to="/courses">Courses</BackLink>
      {shown.data?.course ? (
        <CourseDetails course={shown.data.course} />
      ) : (
        <>
          <LoadError query={shown} />
          {shown.isFetching && <CourseSkeleton />}
        </>
      )}
    </Page>
  );
}

function CourseDetails({ course }: { course: Course }) {
  const histogram = useQuery(histogramQuery(course.course_id));
  const bins = histogram.data ?? [];
  return (
    <>
      <CourseHead course={course} />
      <CourseStats course={course} bins={bins} />
      <CourseMarks course={course} bins={bins} isLoading={histogram.isLoading}>
        <section>
          <h2 className="pb-3">Description</h2>
          {course.course_description === null ? (
            <p className="text-fg-3">Not defined yet.</p>
          ) : (
            <p className="wrap-anywhere max-w-[68ch] whitespace-pre-line text-fg-2 leading-5.5">
              {course.course_description}
            </p>
          )}
        </section>
      </CourseMarks>
    </>
  );
}

function CourseHead({ course }: { course: Course }) {
  const canWrite = useCanWrite();
  usePageSubject(formatCourse(course));
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-[1_1_280px]">
        <h1>{course.course_name}</h1>
        <p className="mt-1.5 flex flex-wrap gap-x-3 text-fg-2">
          <span className="wrap-anywhere">{course.course_code}</span>
          <span className="relative ps-3 before:absolute before:inset-y-1 before:start-0 before:w-px before:bg-line-2">
            Course ID {course.course_id}
          </span>
          {course.credits !== null && (
            <span className="relative ps-3 before:absolute before:inset-y-1 before:start-0 before:w-px before:bg-line-2">
              {plural(course.credits, 'credit hour')}
            </span>
          )}
        </p>
      </div>
      {canWrite && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/marksheets" search={{ term: 'all', q: course.course_code }} variant="quiet">
            <Table2 />
            Mark sheets
          </ButtonLink>
          <ButtonLink to={`/courses/${course.course_id}/history`} variant="quiet">
            <History />
            History
          </ButtonLink>
          <ButtonLink to={`/courses/${course.course_id}/edit`} variant="primary">
            <Pencil />
            Edit
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

/** The statistics of a course's marks. */
function CourseStats({ course, bins }: { course: Course; bins: Bins }) {
  const range = filledRange(bins);
  return (
    <dl className="mb-7 grid grid-cols-2 gap-y-3.5 md:flex md:flex-wrap">
      <Stat title="Average">{course.average?.toFixed(1)}</Stat>
      <Stat title="Standard deviation">{course.std_dev?.toFixed(1)}</Stat>
      <Stat title="Marks counted">{formatCount(course.marks_count)}</Stat>
      {range && (
        <Stat title="Lowest and highest mark">
          {range.from}
          {range.to !== range.from && (
            <>
              {' '}
              <small className="font-[450] text-fg-3 text-label tracking-normal">to</small> {range.to}
            </>
          )}
        </Stat>
      )}
    </dl>
  );
}

/** A missing figure is shown as '--'. */
function Stat({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-line px-3.5 max-md:odd:ps-0 max-md:even:border-s md:border-s md:px-6 md:first:border-0 md:first:ps-0">
      <dt className="font-medium text-caption text-fg-3">{title}</dt>
      <dd className="font-semibold text-[1.25rem] leading-6.5 tracking-[-.015em]">
        {children ?? <span className="text-fg-3">--</span>}
      </dd>
    </div>
  );
}

/** The first and the last bucket with marks. */
function filledRange(bins: Bins): { from: string; to: string } | undefined {
  const labels = binLabels(bins.map(({ bin }) => bin));
  const from = labels[bins.findIndex(({ count }) => count > 0)];
  const to = labels[bins.findLastIndex(({ count }) => count > 0)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

interface CourseMarksProps {
  course: Course;
  bins: Bins;
  isLoading: boolean;
  /** Shown below the histogram, next to the table. */
  children: ReactNode;
}

/** The marks as a histogram and as a table. */
function CourseMarks({ course, bins, isLoading, children }: CourseMarksProps) {
  const hasMarks = bins.length > 0;
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 ${hasMarks || isLoading ? 'lg:grid-cols-[minmax(0,1fr)_320px]' : ''}`}
    >
      <section>
        <h2 className="pb-3">Marks histogram</h2>
        <Histogram
          size="large"
          label={`${course.course_name} marks`}
          bins={bins}
          mean={course.average}
          sd={course.std_dev}
          isLoading={isLoading}
        />
        {hasMarks && <p className="mt-1.5 ps-6 text-center text-caption text-fg-3">Marks out of 100</p>}
      </section>
      {hasMarks && (
        <section className="max-lg:order-last lg:row-span-2">
          <h2 className="pb-3">Distribution</h2>
          <BucketTable bins={bins} caption="Distribution of the marks" />
        </section>
      )}
      {children}
    </div>
  );
}

/** Placeholder while the course loads. */
function CourseSkeleton() {
  return (
    <div aria-hidden="true" inert>
      <div className="mb-6 grid gap-3 pt-2">
        <Skeleton width={220} />
        <Skeleton width={160} />
      </div>
      <div className="mb-8 flex gap-12">
        <Skeleton width={60} />
        <Skeleton width={90} />
        <Skeleton width={70} />
      </div>
      <div className="grid lg:grid-cols-[minmax(0,1fr)_360px]">
        <HistogramSkeleton size="large" />
      </div>
    </div>
  );
}
