import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { StudentRecord } from '../../contract/students.ts';
import { ApiError, call, callVersioned } from '../api.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { startingSemester, storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { forgetStudent } from '../students/forget-student.ts';
import { studentPath } from '../students/student-path.ts';
import { recordToEditQuery } from '../students/use-record-to-edit.ts';
import { isOtherSemester } from './other-semester.ts';
import { fromAcademic, semesterEditDraft } from './semester-fields.ts';
import { SemesterForm } from './semester-form.tsx';
import { emptySlots } from './subject-slots.ts';

interface AcademicsEditProps {
  record: StudentRecord;
  version: string | undefined;
}

/** From the stored starting semester to the current one; one that is not recorded yet is created by its save. */
export function AcademicsEdit({ record: stored, version }: AcademicsEditProps) {
  const { student, academics } = stored;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  // Results are recorded without holes, so the entry can't begin beyond the first one that is missing.
  const [firstSemester] = useState(() =>
    Math.min(startingSemester(student.id) ?? 1, student.current_sem, academics.length + 1),
  );
  const [semester, setSemester] = useState(firstSemester);
  const recorded = academics[semester - 1];

  useEffect(() => {
    storeCurrentSemester(student.current_sem);
    storeStartingSemester(student.id, semester);
  }, [student.id, student.current_sem, semester]);

  const save = async (fields: Record<string, string>, ifMatch: string | undefined) => {
    const body = { student_id: student.id, semester, ...fields };
    if (recorded) await call('PUT', `/api/students/academics/${recorded.academic_id}`, { body, ifMatch });
    else await record(body);
    forgetStudent(queries, student.id);
    if (semester < student.current_sem) {
      setSemester(semester + 1);
      return;
    }
    await finish();
  };

  const record = async (body: Record<string, string | number>) => {
    try {
      await call('POST', '/api/students/academics', { body, idempotencyKey: attemptKey(body) });
    } catch (error) {
      if (!isOtherSemester(error)) throw error;
      const now = await queries.fetchQuery(recordToEditQuery(student.id));
      if (now.body?.academics[semester - 1] === undefined) throw error;
      // Known here from now on, so that it is an edit like any other.
      throw new ApiError(412, `Semester ${semester} has been recorded by somebody else meanwhile.`);
    }
  };

  const finish = () => {
    flash('Entry has been updated successfully');
    return navigate({ to: '/students' });
  };

  const readAgain = async () => {
    const now = await callVersioned<StudentRecord | null>('GET', studentPath(student.id));
    const academic = now.body?.academics[semester - 1];
    return { slots: academic ? fromAcademic(academic) : emptySlots(), version: now.version };
  };

  return (
    <SemesterForm
      key={semester}
      semester={semester}
      lastSemester={student.current_sem}
      draftKey={semesterEditDraft(student.id, semester)}
      version={version}
      readAgain={readAgain}
      initial={recorded ? fromAcademic(recorded) : emptySlots()}
      // The current semester has often no results yet: who edits something else need not record it empty.
      onLater={recorded === undefined ? () => void finish() : undefined}
      submitLabel="Update Semester Entry"
      followsAnother={semester > firstSemester}
      onSave={save}
    />
  );
}
