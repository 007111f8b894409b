import { useQuery } from '@tanstack/react-query';
import { History, Pencil } from 'lucide-react';
import type { Course } from '../../contract/courses.ts';
import { histogramQuery } from '../academics/use-histogram.ts';
import { useMayWrite } from '../session.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { BackLink } from '../ui/back-link.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { CourseMarks } from './course-marks.tsx';
import { courseQuery } from './course-query.ts';
import { CourseSkeleton } from './course-skeleton.tsx';
import { CourseStats } from './course-stats.tsx';
import { useCourseId } from './use-course-id.ts';
import { useUnknownCourse } from './use-unknown-course.ts';

/** One course with its marks. */
export function CoursePage() {
  const courseId = useCourseId();
  const shown = usePageQuery({ ...courseQuery(courseId), loading: 'course' });
  useUnknownCourse(shown);
  return (
    <Page>
      <BackLink to="/courses">Courses</BackLink>
      {shown.data?.course ? (
        <CourseDetails course={shown.data.course} />
      ) : (
        <>
          <LoadProblem query={shown} />
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
  const mayWrite = useMayWrite();
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-[1_1_280px]">
        <h1>{course.course_name}</h1>
        <p className="mt-1.5 flex flex-wrap gap-x-3 text-fg-2">
          <span className="wrap-anywhere">{course.course_code}</span>
          <span className="relative ps-3 before:absolute before:inset-y-1 before:start-0 before:w-px before:bg-line-2">
            Course ID {course.course_id}
          </span>
        </p>
      </div>
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`/courses/${course.course_id}/history`} variant="quiet">
            <History strokeWidth={1.75} aria-hidden="true" />
            History
          </ButtonLink>
          <ButtonLink to={`/courses/${course.course_id}/edit`} variant="primary">
            <Pencil strokeWidth={1.75} aria-hidden="true" />
            Edit
          </ButtonLink>
        </div>
      )}
    </div>
  );
}
