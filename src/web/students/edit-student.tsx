import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Student, StudentBase } from '../../contract/students.ts';
import { callVersioned } from '../api.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { useStaleEdit } from '../forms/use-stale-edit.ts';
import { storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { DeleteStudent } from './delete-student.tsx';
import { forgetStudent } from './forget-student.ts';
import { sendStudent } from './send-student.ts';
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

interface EditStudentProps {
  student: Student;
  version: string | undefined;
}

const toValues = (student: Student, version = '') => ({ ...fromStudent(student), version });

export function EditStudent({ student, version }: EditStudentProps) {
  const { id: studentId } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const initial = toValues(student, version);
  const form = useDraftForm({ draftKey: `student-edit:${studentId}`, initial });
  const portrait = useChosenFile(form, 'img_file', 'picture');
  const edit = useStaleEdit(form, {
    initial,
    readAgain: async () => {
      const now = await callVersioned<StudentBase>('GET', `${studentPath(studentId)}/base`);
      return toValues(now.body.student, now.version);
    },
    // A portrait is an address or a file.
    partOf: (name) => (name === 'img_file' ? 'img' : name),
  });

  const save = () =>
    edit.save(async (ifMatch) => {
      const { version: _, ...values } = form.values;
      const saved = await sendStudent({
        method: 'PUT',
        path: studentPath(studentId),
        values,
        file: portrait.file,
        ifMatch,
      });
      form.discardDraft();
      storeCurrentSemester(saved.student.current_sem);
      storeStartingSemester(studentId, 1);
      forgetStudent(queries, studentId);
      await navigate({ to: '/students/$studentId/family/edit', params: { studentId } });
    });

  return (
    <>
      <EditStudentHead
        studentId={studentId}
        onLeave={form.discardDraft}
        actions={
          <DeleteStudent
            studentId={studentId}
            version={edit.version}
            onDeleted={form.discardDraft}
            onStale={edit.reload}
            onRefused={form.setFailure}
          />
        }
      />
      <StudentForm
        form={form}
        initial={initial}
        stale={edit.stale}
        portrait={portrait}
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
