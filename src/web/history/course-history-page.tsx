import { useQuery } from '@tanstack/react-query';
import { courseQuery } from '../courses/course-query.ts';
import { useCourseId } from '../courses/use-course-id.ts';
import { Page, PageHead } from '../ui/page.tsx';
import { HistoryList } from './history-list.tsx';

/** Who changed what in a course. */
export function CourseHistoryPage() {
  const courseId = useCourseId();
  const name = useQuery(courseQuery(courseId)).data?.course?.course_name;
  const course = name === undefined ? `the course with ID ${courseId}` : `${name} (ID ${courseId})`;
  return (
    <Page>
      <PageHead
        title="History"
        sub={`Changes to ${course}, the latest first.`}
        back={{ to: `/courses/${encodeURIComponent(courseId)}`, label: 'Course' }}
      />
      <HistoryList key={courseId} path={`/api/courses/${encodeURIComponent(courseId)}/history`} />
    </Page>
  );
}
