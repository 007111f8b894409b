import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Student } from '../../../contract/students/students.ts';
import { flash } from '../../ui/flash.tsx';
import { fullName } from '../student-format.ts';
import { studentRecordQuery } from '../student-queries.ts';

/** Leads from a form that was saved to the record, or to the list while there is no family, without which no record is shown. */
export function useCloseEntry() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (studentId: string) => {
    const record = await queries.fetchQuery(studentRecordQuery(studentId)).catch(() => null);
    flash('Saved');
    if (record === null) await navigate({ to: '/students' });
    else await navigate({ to: '/students/$studentId', params: { studentId } });
  };
}

/** Leads from a step of an admission that is left for later to the list, and says so. */
export function useAdmitted() {
  const navigate = useNavigate();
  return (student: Student, rest: string) => {
    flash(`${fullName(student)} is admitted. ${rest}`, 'done', {
      label: 'Open the record',
      run: () => void navigate({ to: '/students/$studentId', params: { studentId: student.id } }),
    });
    void navigate({ to: '/students' });
  };
}
