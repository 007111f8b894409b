import { queryOptions } from '@tanstack/react-query';
import type { AcademicsGate } from '../../contract/academics.ts';
import type { StudentBase } from '../../contract/students.ts';
import { call } from '../api.ts';
import { studentPath } from '../students/student-path.ts';

export interface AcademicsStep extends AcademicsGate {
  /** Semesters to be entered in all; null where the step may not be entered. */
  currentSemester: number | null;
}

/**
 * May results be entered, and up to which semester? The count comes with the answer, as the one in session storage
 * may be missing or be another student's. Always asked anew: each saved semester changes the answer.
 */
export const academicsGateQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'academics-gate', studentId],
    queryFn: async ({ signal }): Promise<AcademicsStep> => {
      const gate = await call<AcademicsGate>('GET', `${studentPath(studentId)}/academics/create`, { signal });
      if (!gate.canProceed) return { ...gate, currentSemester: null };
      const { student } = await call<StudentBase>('GET', `${studentPath(studentId)}/base`, { signal });
      return { ...gate, currentSemester: student.current_sem };
    },
    gcTime: 0,
    staleTime: 0,
  });
