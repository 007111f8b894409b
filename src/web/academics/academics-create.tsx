import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../api.ts';
import { storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { forgetStudent } from '../students/forget-student.ts';
import { useAttemptKey } from '../students/use-attempt-key.ts';
import { SemesterForm } from './semester-form.tsx';
import { emptySlots } from './subject-slots.ts';

interface AcademicsCreateProps {
  studentId: string;
  /** The first semester that is not recorded yet. */
  firstSemester: number;
  currentSemester: number;
}

/** One semester after the other, up to the current one; then back to the list. */
export function AcademicsCreate({ studentId, firstSemester, currentSemester }: AcademicsCreateProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const [semester, setSemester] = useState(firstSemester);

  // What stands there may be missing, or be left over from another student: the server's word replaces it.
  useEffect(() => {
    storeCurrentSemester(currentSemester);
    storeStartingSemester(semester);
  }, [currentSemester, semester]);

  const save = async (fields: Record<string, string>) => {
    const body = { student_id: studentId, semester, ...fields };
    await call('POST', '/api/students/academics', { body, idempotencyKey: attemptKey(body) });
    forgetStudent(queries, studentId);
    if (semester < currentSemester) {
      setSemester(semester + 1);
      return;
    }
    flash('Entry has been created successfully');
    await navigate({ to: '/students' });
  };

  return (
    <SemesterForm
      key={semester}
      semester={semester}
      lastSemester={currentSemester}
      draftKey={`academics-create:${studentId}:${semester}`}
      initial={emptySlots()}
      submitLabel="Create Semester Entry"
      followsAnother={semester > firstSemester}
      onSave={save}
    />
  );
}
