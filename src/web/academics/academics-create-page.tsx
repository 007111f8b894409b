import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { flash } from '../shell/flash.tsx';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { useStudentId } from '../students/use-student-id.ts';
import { Page, PageHead } from '../ui/page.tsx';
import { Steps } from '../ui/steps.tsx';
import { AcademicsCreate } from './academics-create.tsx';
import { type AcademicsStep, academicsGateQuery } from './use-academics-gate.ts';

/** Last step of a new entry. The server says whether it may be entered, and at which semester. */
export function AcademicsCreatePage() {
  const studentId = useStudentId();
  const gate = usePageQuery({ ...academicsGateQuery(studentId), loading: 'student' });
  useElsewhere(studentId, gate.data);
  const { nextSemester, currentSemester = null } = gate.data ?? {};
  return (
    <Page width="form">
      <PageHead
        back={{ to: '/students', label: 'Students' }}
        title={`Enter Academic Data of Student with ID: ${studentId}`}
        sub="One semester at a time. Up to 10 subjects each."
        actions={<Steps current="academics" />}
      />
      <LoadProblem query={gate} />
      {nextSemester !== undefined && currentSemester !== null && (
        <AcademicsCreate
          key={studentId}
          studentId={studentId}
          firstSemester={nextSemester}
          currentSemester={currentSemester}
        />
      )}
    </Page>
  );
}

function useElsewhere(studentId: string, gate: AcademicsStep | undefined) {
  const navigate = useNavigate();
  useEffect(() => {
    if (gate === undefined || gate.canProceed) return;
    flash(gate.message, 'warning');
    if (gate.redirectToDashboard) void navigate({ to: '/students', replace: true });
    else if (gate.redirectToMain) void navigate({ to: '/students/create', replace: true });
    else {
      void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
    }
  }, [gate, navigate, studentId]);
}
