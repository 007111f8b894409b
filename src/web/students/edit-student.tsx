import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Student, StudentCreated } from '../../contract/students.ts';
import { call } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { DeleteStudent } from './delete-student.tsx';
import { forgetStudent } from './forget-student.ts';
import { StudentForm } from './student-form.tsx';
import { studentPath } from './student-path.ts';
import { fromStudent } from './student-values.ts';

interface EditStudentHeadProps {
  studentId: string;
  onLeave?: () => void;
  actions?: ReactNode;
}

export function EditStudentHead({ studentId, onLeave, actions }: EditStudentHeadProps) {
  return (
    <PageHead
      back={{ to: '/students', label: 'Students', onClick: onLeave }}
      title={`Edit details of student with ID: ${studentId}`}
      sub="Saving continues to family details, then each semester."
      actions={actions}
    />
  );
}

export function EditStudent({ student }: { student: Student }) {
  const { id: studentId } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useDraftForm({ draftKey: `student-edit:${studentId}`, initial: fromStudent(student) });

  const save = async () => {
    const saved = await call<StudentCreated>('PUT', studentPath(studentId), { body: form.values });
    storeCurrentSemester(saved.student.current_sem);
    storeStartingSemester(1);
    forgetStudent(queries, studentId);
    await navigate({ to: '/students/$studentId/family/edit', params: { studentId } });
  };

  return (
    <>
      <EditStudentHead
        studentId={studentId}
        onLeave={form.discardDraft}
        actions={
          <DeleteStudent studentId={studentId} onDeleted={form.discardDraft} onRefused={form.setFailure} />
        }
      />
      <StudentForm
        form={form}
        submitLabel="Update Entry"
        isIdFixed
        onSave={save}
        back={
          <ButtonLink
            to={`/students/${encodeURIComponent(studentId)}`}
            variant="quiet"
            onClick={form.discardDraft}
          >
            Back
          </ButtonLink>
        }
      />
    </>
  );
}
