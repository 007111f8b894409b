import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Student } from '../../../contract/students/students.ts';
import { storedStudentsSearch } from '../../lib/session.ts';
import { flash } from '../../ui/flash.tsx';
import { fullName } from '../student-format.ts';
import { studentRecordQuery } from '../student-queries.ts';
import { findNeighbours, storeLastSubjects } from '../student-run.ts';
import { slotsFromFormValues } from './semester/semester-values.ts';

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

/** Leads from saved results to the list as it was, with the way to the next student of it. */
export function useLeaveResults(student: Student, semester: number) {
  const navigate = useNavigate();
  return async (text: string, tone: 'done' | 'warning' = 'done') => {
    const { next } = findNeighbours(student.id);
    const open = (studentId: string, page: string) => () =>
      void navigate({ href: `/students/${encodeURIComponent(studentId)}${page}` });
    flash(
      text,
      tone,
      next === undefined
        ? { label: 'Open the record', run: open(student.id, '') }
        : { label: `Next: ${next.name}`, run: open(next.id, `/academics/edit?semester=${semester}`) },
    );
    await navigate({ to: '/students', search: storedStudentsSearch() });
  };
}

/** Remembers whose results were saved, and of which subjects, for the next student of the class. */
export function rememberResults(
  student: Student,
  semester: number,
  values: Readonly<Record<string, string>>,
): void {
  const { id, department, degree } = student;
  storeLastSubjects({
    student: { id, name: fullName(student) },
    department,
    degree,
    semester,
    subjects: slotsFromFormValues(values),
  });
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
