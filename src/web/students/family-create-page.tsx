import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { FamilyGate } from '../../contract/family.ts';
import { flash } from '../shell/flash.tsx';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Page } from '../ui/page.tsx';
import { FamilyCreate, FamilyCreateHead } from './family-create.tsx';
import { familyGateQuery } from './use-family-gate.ts';
import { useStudentId } from './use-student-id.ts';

/** Second step of a new entry. The server says whether it may be entered, or where to go on instead. */
export function FamilyCreatePage() {
  const studentId = useStudentId();
  const gate = usePageQuery({ ...familyGateQuery(studentId), loading: 'student' });
  useElsewhere(studentId, gate.data);
  return (
    <Page width="form">
      {gate.data?.canProceed ? (
        <FamilyCreate key={studentId} studentId={studentId} />
      ) : (
        <>
          <FamilyCreateHead studentId={studentId} />
          <LoadProblem query={gate} />
        </>
      )}
    </Page>
  );
}

function useElsewhere(studentId: string, gate: FamilyGate | undefined) {
  const navigate = useNavigate();
  useEffect(() => {
    if (gate === undefined || gate.canProceed) return;
    flash(gate.message, 'warning');
    if (gate.redirectTo === 'base') void navigate({ to: '/students/create', replace: true });
    else if (gate.redirectTo === 'academics') {
      void navigate({ to: '/students/$studentId/academics/create', params: { studentId }, replace: true });
    } else void navigate({ to: '/students', replace: true });
  }, [gate, navigate, studentId]);
}
