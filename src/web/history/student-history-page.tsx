import { studentPath } from '../students/student-path.ts';
import { useStudentId } from '../students/use-student-id.ts';
import { Page, PageHead } from '../ui/page.tsx';
import { HistoryList } from './history-list.tsx';

/** Who changed what in a student's record. */
export function StudentHistoryPage() {
  const studentId = useStudentId();
  return (
    <Page>
      <PageHead
        title="History"
        sub={`Changes to the record of CMS ID ${studentId}, the latest first.`}
        back={{ to: `/students/${encodeURIComponent(studentId)}`, label: 'Record' }}
      />
      <HistoryList key={studentId} path={`${studentPath(studentId)}/history`} />
    </Page>
  );
}
