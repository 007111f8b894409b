import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Student } from '../../../contract/students/students.ts';
import { flash } from '../../ui/flash.tsx';
import { fullName } from '../student-format.ts';
import { studentRecordQuery } from '../student-queries.ts';

const RECORD = '/students/$studentId';

/** Leads from a form that was saved to the record, or to the list while there is no family, without which no record is shown. */
export function useCloseEntry() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (studentId: string) => {
    // The page of the record says why it could not be read.
    const record = await queries.fetchQuery(studentRecordQuery(studentId)).catch(() => undefined);
    flash('Saved');
    if (record === null) await navigate({ to: '/students' });
    else await navigate({ to: RECORD, params: { studentId } });
  };
}

/** Leads from a step of an admission that is left for later to the list, and says what can follow. */
export function useLeaveAdmission() {
  const navigate = useNavigate();
  return (student: Student, step: 'family' | 'results') => {
    const [rest, label, to] =
      step === 'family'
        ? (['Family details and results can follow.', 'Enter the family', `${RECORD}/family/create`] as const)
        : (['Results can follow.', 'Open the record', RECORD] as const);
    flash(`${fullName(student)} is admitted. ${rest}`, 'done', {
      label,
      run: () => void navigate({ to, params: { studentId: student.id } }),
    });
    void navigate({ to: '/students' });
  };
}
