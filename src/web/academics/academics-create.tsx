import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { StudentRecord } from '../../contract/students.ts';
import { type ApiError, call } from '../api.ts';
import { handOver } from '../forms/drafts.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { forgetStudent } from '../students/forget-student.ts';
import { studentPath } from '../students/student-path.ts';
import { isOtherSemester } from './other-semester.ts';
import { placeOf, semesterEditDraft } from './semester-fields.ts';
import { SemesterForm } from './semester-form.tsx';
import { emptySlots } from './subject-slots.ts';
import { academicsGateQuery } from './use-academics-gate.ts';

interface AcademicsCreateProps {
  studentId: string;
  /** The first semester that is not recorded yet. */
  firstSemester: number;
  currentSemester: number;
}

/** One semester after the other, up to the current one; then back to the list. */
export function AcademicsCreate(props: AcademicsCreateProps) {
  const { studentId, currentSemester } = props;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const [firstSemester] = useState(props.firstSemester);
  const [semester, setSemester] = useState(firstSemester);

  // What stands there may be missing, or be left over from another student: the server's word replaces it.
  useEffect(() => {
    storeCurrentSemester(currentSemester);
    storeStartingSemester(studentId, semester);
  }, [studentId, currentSemester, semester]);

  const save = async (fields: Record<string, string>) => {
    const body = { student_id: studentId, semester, ...fields };
    try {
      await call('POST', '/api/students/academics', { body, idempotencyKey: attemptKey(body) });
    } catch (error) {
      if (!isOtherSemester(error)) throw error;
      const isEmpty = Object.values(fields).every((text) => text.trim() === '');
      await (isEmpty ? goOnAfter(error) : goOnToEdit(error, fields));
      return;
    }
    forgetStudent(queries, studentId);
    if (semester < currentSemester) {
      setSemester(semester + 1);
      return;
    }
    flash('Entry has been created successfully');
    await navigate({ to: '/students' });
  };

  /** The semester was recorded elsewhere in the meantime. When all are, the page itself leads away. */
  const goOnAfter = async (refusal: ApiError) => {
    const gate = await queries.fetchQuery(academicsGateQuery(studentId));
    if (gate.canProceed && gate.nextSemester === semester) throw refusal;
    forgetStudent(queries, studentId);
    if (!gate.canProceed || gate.nextSemester === undefined) return;
    flash(`Semester ${semester} was recorded already. Go on with semester ${gate.nextSemester}.`, 'warning');
    setSemester(gate.nextSemester);
  };

  /** What is typed here is compared with what somebody else recorded, where semesters are edited, and goes on there. */
  const goOnToEdit = async (refusal: ApiError, fields: Record<string, string>) => {
    const record = await call<StudentRecord | null>('GET', studentPath(studentId));
    if (record?.academics[semester - 1] === undefined) throw refusal;
    handOver(semesterEditDraft(studentId, semester), fields, placeOf);
    forgetStudent(queries, studentId);
    flash(`Semester ${semester} has been recorded by somebody else meanwhile.`, 'warning');
    await navigate({ to: '/students/$studentId/academics/edit', params: { studentId }, replace: true });
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
