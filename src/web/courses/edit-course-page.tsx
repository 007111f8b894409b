import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Page } from '../ui/page.tsx';
import { courseToEditQuery } from './course-query.ts';
import { EditCourse, EditCourseHead } from './edit-course.tsx';
import { useCourseId } from './use-course-id.ts';
import { useUnknownCourse } from './use-unknown-course.ts';

export function EditCoursePage() {
  const courseId = useCourseId();
  const shown = usePageQuery({ ...courseToEditQuery(courseId), loading: 'course' });
  useUnknownCourse(shown);
  return (
    <Page width="form">
      {shown.data?.course ? (
        <EditCourse key={courseId} course={shown.data.course} version={shown.data.version} />
      ) : (
        <>
          <EditCourseHead courseId={courseId} back="Course" />
          <LoadProblem query={shown} />
        </>
      )}
    </Page>
  );
}
