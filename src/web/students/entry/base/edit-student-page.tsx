import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Student } from '../../../../contract/students/students.ts';
import { useSelectedFile } from '../../../forms/selected-file.tsx';
import { useEditForm } from '../../../forms/use-record-form.ts';
import { callWithVersion } from '../../../lib/call.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { storeCurrentSemester, storeStartingSemester } from '../../../lib/session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { flash } from '../../../ui/flash.tsx';
import { QueryPage } from '../../../ui/page/query-page.tsx';
import { NeighbourLinks } from '../../neighbour-links.tsx';
import { StudentPageHeader } from '../../student-page-header.tsx';
import { invalidateStudent, studentBaseQuery } from '../../student-queries.ts';
import { useStudentId, useStudentNotFoundRedirect } from '../../student-redirects.ts';
import { useCloseEntry } from '../close-entry.ts';
import { DeleteStudent } from './delete-student.tsx';
import { saveStudent } from './save-student.ts';
import { StudentForm } from './student-form.tsx';
import { toStudentValues } from './student-values.ts';

/** First step of editing. It needs the base record only, so that an incomplete entry can be edited or deleted too. */
export function EditStudentPage() {
  const studentId = useStudentId();
  const base = usePageQuery({ ...studentBaseQuery(studentId), loading: 'student' });
  useStudentNotFoundRedirect(base.error);
  return (
    <QueryPage width="form" query={base} header={<EditStudentHeader studentId={studentId} />}>
      {({ body, version }) => <EditStudent key={studentId} student={body.student} version={version} />}
    </QueryPage>
  );
}

interface EditStudentHeaderProps {
  studentId: string;
  student?: Student;
  onLeave?: () => void;
  actions?: ReactNode;
}

function EditStudentHeader({ studentId, student, onLeave, actions }: EditStudentHeaderProps) {
  return (
    <StudentPageHeader
      student={student}
      back={{ to: '/students', label: 'Students', onClick: onLeave }}
      title={`Edit details of student with ID: ${studentId}`}
      sub="Saving continues to family details, then each semester."
      besideBack={<NeighbourLinks page="/edit" />}
      actions={actions}
    />
  );
}

const toValues = (student: Student, version = '') => ({ ...toStudentValues(student), version });

function EditStudent({ student, version }: { student: Student; version: string | undefined }) {
  const { id: studentId } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const initial = toValues(student, version);
  const { form, submit, ...edit } = useEditForm({
    draftKey: `student-edit:${studentId}`,
    initial,
    readAgain: async () => {
      const { body, version } = await callWithVersion('GET /api/students/:id/base', {
        params: { id: studentId },
      });
      return toValues(body.student, version);
    },
    // The portrait is either a text or a file.
    getPart: (name) => (name === 'img_file' ? 'img' : name),
  });
  const portrait = useSelectedFile(form, 'img_file', 'picture');

  const close = useCloseEntry();

  const save = (closes: boolean) =>
    submit(
      (ifMatch) => {
        const { version: _, ...values } = form.values;
        const { file } = portrait;
        return saveStudent({ studentId, values, file, ifMatch });
      },
      async (saved) => {
        storeCurrentSemester(saved.student.current_sem);
        storeStartingSemester(studentId, 1);
        invalidateStudent(queries, studentId);
        if (closes) return close(studentId);
        flash('Details saved');
        await navigate({ to: '/students/$studentId/family/edit', params: { studentId } });
      },
    );

  return (
    <>
      <EditStudentHeader
        studentId={studentId}
        student={student}
        onLeave={form.discardDraft}
        actions={
          <DeleteStudent
            student={student}
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
