import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Page } from '../ui/page.tsx';
import { FamilyEdit, FamilyEditHead } from './family-edit.tsx';
import { recordToEditQuery } from './use-record-to-edit.ts';
import { useStudentId } from './use-student-id.ts';
import { useUnknownStudent } from './use-unknown-student.ts';
import { useWithoutFamily } from './use-without-family.ts';

/** Second step of editing. */
export function FamilyEditPage() {
  const studentId = useStudentId();
  const record = usePageQuery({ ...recordToEditQuery(studentId), loading: 'family details' });
  useUnknownStudent(record.error);
  useWithoutFamily(studentId, record.data?.body);
  return (
    <Page width="form">
      {record.data?.body ? (
        <FamilyEdit key={studentId} family={record.data.body.family} version={record.data.version} />
      ) : (
        <>
          <FamilyEditHead studentId={studentId} />
          <LoadProblem query={record} />
        </>
      )}
    </Page>
  );
}
