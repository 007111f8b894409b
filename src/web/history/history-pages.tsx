import { useQuery } from '@tanstack/react-query';
import { courseQuery, formatCourse } from '../courses/course-queries.ts';
import { useCourseId } from '../courses/course-redirects.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { useCurrentUser } from '../lib/session.ts';
import { useStudentId } from '../students/student-redirects.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { HistoryList } from './history-list.tsx';

/** All changes, for administrators only. */
export function HistoryPage() {
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <Page>
      {isAdmin ? (
        <>
          <PageHeader
            title="History"
            sub="Every change, the latest first. Nothing here can be changed or removed."
          />
          <HistoryList source={{ key: 'GET /api/history' }} isOfEverything />
        </>
      ) : (
        <EmptyState heading="h1" title="Only an administrator can read the history of everything." />
      )}
    </Page>
  );
}

/** The changes to one student's record, below its head. */
export function StudentHistoryTab() {
  const studentId = useStudentId();
  return (
    <HistoryList
      key={studentId}
      source={{ key: 'GET /api/students/:id/history', params: { id: studentId } }}
    />
  );
}

/** The changes to one course. */
export function CourseHistoryPage() {
  const courseId = useCourseId();
  const course = useQuery(courseQuery(courseId)).data?.course;
  const name = course?.course_name;
  const changed = name === undefined ? `the course with ID ${courseId}` : `${name} (ID ${courseId})`;
  usePageSubject(course && formatCourse(course));
  return (
    <Page>
      <PageHeader
        title="History"
        sub={`Changes to ${changed}, the latest first.`}
        back={{ to: `/courses/${encodeURIComponent(courseId)}`, label: 'Course' }}
      />
      <HistoryList
        key={courseId}
        source={{ key: 'GET /api/courses/:course_id/history', params: { course_id: courseId } }}
      />
    </Page>
  );
}
