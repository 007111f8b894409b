import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Page } from '../ui/page.tsx';
import { EditStudent, EditStudentHead } from './edit-student.tsx';
import { studentBaseQuery } from './use-student-base.ts';
import { useStudentId } from './use-student-id.ts';
import { useUnknownStudent } from './use-unknown-student.ts';

/** First step of editing. It needs the base record only, so a half-entered one can be corrected or deleted too. */
export function EditStudentPage() {
  const studentId = useStudentId();
  const base = usePageQuery({ ...studentBaseQuery(studentId), loading: 'student' });
  useUnknownStudent(base.error);
  return (
    <Page width="form">
      {base.data ? (
        <EditStudent key={studentId} student={base.data.body.student} version={base.data.version} />
      ) : (
        <>
          <EditStudentHead studentId={studentId} />
          <LoadProblem query={base} />
        </>
      )}
    </Page>
  );
}
