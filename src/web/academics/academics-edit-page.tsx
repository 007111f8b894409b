import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { recordToEditQuery } from '../students/use-record-to-edit.ts';
import { useStudentId } from '../students/use-student-id.ts';
import { useUnknownStudent } from '../students/use-unknown-student.ts';
import { useWithoutFamily } from '../students/use-without-family.ts';
import { Page, PageHead } from '../ui/page.tsx';
import { AcademicsEdit } from './academics-edit.tsx';

/** Last step of editing: the results, semester by semester. */
export function AcademicsEditPage() {
  const studentId = useStudentId();
  const record = usePageQuery({ ...recordToEditQuery(studentId), loading: 'results' });
  useUnknownStudent(record.error);
  useWithoutFamily(studentId, record.data?.body);
  return (
    <Page width="form">
      <PageHead
        back={{ to: '/students', label: 'Students' }}
        title={`Edit academics of student with ID: ${studentId}`}
        sub="One semester at a time. Up to 10 subjects each."
      />
      <LoadProblem query={record} />
      {record.data?.body && (
        <AcademicsEdit key={studentId} record={record.data.body} version={record.data.version} />
      )}
    </Page>
  );
}
