import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { StudentRecord } from '../../contract/students.ts';
import { ApiError, call } from '../api.ts';
import { handOver } from '../forms/drafts.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { storeStartingSemester } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { Steps } from '../ui/steps.tsx';
import { FamilyForm } from './family-form.tsx';
import { EMPTY_FAMILY, familyEditDraft } from './family-values.ts';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';
import { useWayBack } from './use-way-back.ts';

interface FamilyCreateHeadProps {
  studentId: string;
  onLeave?: () => void;
}

export function FamilyCreateHead({ studentId, onLeave }: FamilyCreateHeadProps) {
  return (
    <PageHead
      back={{ to: '/students', label: 'Students', onClick: onLeave }}
      title={`Enter Family Data of Student with ID: ${studentId}`}
      sub="Enter family details of the student or go back"
      actions={<Steps current="family" />}
    />
  );
}

export function FamilyCreate({ studentId }: { studentId: string }) {
  const navigate = useNavigate();
  const wayBack = useWayBack();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const form = useDraftForm({ draftKey: `family-create:${studentId}`, initial: EMPTY_FAMILY });

  const save = async () => {
    const body = { student_id: studentId, ...form.values };
    try {
      await call('POST', '/api/students/family', { body, idempotencyKey: attemptKey(body) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.errors.student_id === undefined) throw error;
      await goOnToEdit(error);
      return;
    }
    form.discardDraft();
    storeStartingSemester(studentId, 1);
    forgetStudent(queries, studentId);
    await navigate({ to: '/students/$studentId/academics/create', params: { studentId } });
  };
  /** Somebody else was faster: what is typed here is compared with what they entered, where a family is edited. */
  const goOnToEdit = async (refusal: ApiError) => {
    const record = await call<StudentRecord | null>('GET', studentPath(studentId));
    if (record === null) throw refusal;
    handOver(familyEditDraft(studentId), form.values);
    form.discardDraft();
    forgetStudent(queries, studentId);
    flash('The family has been entered by somebody else meanwhile.', 'warning');
    await navigate({ to: '/students/$studentId/family/edit', params: { studentId }, replace: true });
  };
  const goBack = () => {
    form.discardDraft();
    wayBack();
  };

  return (
    <>
      <FamilyCreateHead studentId={studentId} onLeave={form.discardDraft} />
      <FamilyForm
        form={form}
        initial={EMPTY_FAMILY}
        submitLabel="Create Entry"
        onSave={save}
        back={
          <Button variant="quiet" onClick={goBack}>
            Back
          </Button>
        }
      />
    </>
  );
}
