import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Student, StudentRecord } from '../../../../contract/students/students.ts';
import { useEditForm } from '../../../forms/use-record-form.ts';
import { call, callWithVersion } from '../../../lib/call.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { flash } from '../../../ui/flash.tsx';
import { QueryPage } from '../../../ui/page/query-page.tsx';
import { NeighbourLinks } from '../../neighbour-links.tsx';
import { StudentPageHeader } from '../../student-page-header.tsx';
import { editRecordQuery, invalidateStudent } from '../../student-queries.ts';
import { useFamilyRedirect, useStudentId, useStudentNotFoundRedirect } from '../../student-redirects.ts';
import { useCloseEntry } from '../close-entry.ts';
import { FamilyForm } from './family-form.tsx';
import { familyEditDraftKey, toFamilyValues } from './family-values.ts';

/** Second step of editing. */
export function EditFamilyPage() {
  const studentId = useStudentId();
  const record = usePageQuery({ ...editRecordQuery(studentId), loading: 'family details' });
  useStudentNotFoundRedirect(record.error);
  useFamilyRedirect(studentId, record.data?.body);
  return (
    <QueryPage width="form" query={record} header={<EditFamilyHeader studentId={studentId} />}>
      {({ body, version }) => body && <EditFamily key={studentId} record={body} version={version} />}
    </QueryPage>
  );
}

interface EditFamilyHeaderProps {
  studentId: string;
  student?: Student;
  onLeave?: () => void;
}

function EditFamilyHeader({ studentId, student, onLeave }: EditFamilyHeaderProps) {
  return (
    <StudentPageHeader
      student={student}
      back={{ to: '/students', label: 'Students', onClick: onLeave }}
      title={`Edit family details of student with ID: ${studentId}`}
      sub="Saving continues to each semester."
      besideBack={<NeighbourLinks page="/family/edit" />}
    />
  );
}

const toValues = ({ family }: StudentRecord, version = '') => ({ ...toFamilyValues(family), version });

function EditFamily({ record, version }: { record: StudentRecord; version: string | undefined }) {
  const { student } = record;
  const { id: studentId } = student;
  const params = { id: studentId };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const initial = toValues(record, version);
  const { form, submit, stale } = useEditForm({
    draftKey: familyEditDraftKey(studentId),
    initial,
    readAgain: async () => {
      const { body, version } = await callWithVersion('GET /api/students/:id', { params });
      return toValues(body ?? record, version);
    },
  });

  const close = useCloseEntry();

  const save = (closes: boolean) =>
    submit(
      (ifMatch) => {
        const { version: _, ...details } = form.values;
        const body = { student_id: studentId, ...details };
        return call('PUT /api/students/:id/family', { params, body, ifMatch });
      },
      async () => {
        invalidateStudent(queries, studentId);
        if (closes) return close(studentId);
        flash('Details saved');
        await navigate({ to: '/students/$studentId/academics/edit', params: { studentId } });
      },
    );

  return (
    <>
      <EditFamilyHeader studentId={studentId} student={student} onLeave={form.discardDraft} />
      <FamilyForm
        form={form}
        initial={initial}
        stale={stale}
        lastName={student.last_name}
        submitLabel="Update Entry"
        onSave={save}
      />
    </>
  );
}
