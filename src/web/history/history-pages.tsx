import { useQuery } from '@tanstack/react-query';
import { courseQuery } from '../courses/course-queries.ts';
import { useCourseId } from '../courses/course-redirects.ts';
import { useCurrentUser } from '../lib/session.ts';
import { studentPath } from '../students/student-queries.ts';
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
          <HistoryList path="/api/history" isOfEverything />
        </>
      ) : (
        <EmptyState heading="h1" title="Only an administrator can read the history of everything." />
      )}
    </Page>
  );
}

/** The changes to one student's record. */
export function StudentHistoryPage() {
  const studentId = useStudentId();
  return (
    <Page>
      <PageHeader
        title="History"
        sub={`Changes to the record of CMS ID ${studentId}, the latest first.`}
        back={{ to: `/students/${encodeURIComponent(studentId)}`, label: 'Record' }}
      />
      <HistoryList key={studentId} path={`${studentPath(studentId)}/history`} />
    </Page>
  );
}

/** The changes to one course. */
export function CourseHistoryPage() {
  const courseId = useCourseId();
  const name = useQuery(courseQuery(courseId)).data?.course?.course_name;
  const course = name === undefined ? `the course with ID ${courseId}` : `${name} (ID ${courseId})`;
  return (
    <Page>
      <PageHeader
        title="History"
        sub={`Changes to ${course}, the latest first.`}
        back={{ to: `/courses/${encodeURIComponent(courseId)}`, label: 'Course' }}
      />
      <HistoryList key={courseId} path={`/api/courses/${encodeURIComponent(courseId)}/history`} />
    </Page>
  );
}
