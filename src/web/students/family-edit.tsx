import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Family } from '../../contract/family.ts';
import type { StudentRecord } from '../../contract/students.ts';
import { call, callVersioned } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { useStaleEdit } from '../forms/use-stale-edit.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { FamilyForm } from './family-form.tsx';
import { familyEditDraft, fromFamily } from './family-values.ts';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';
import { useWayBack } from './use-way-back.ts';

interface FamilyEditHeadProps {
  studentId: string;
  onLeave?: () => void;
}

export function FamilyEditHead({ studentId, onLeave }: FamilyEditHeadProps) {
  return (
    <PageHead
      back={{ to: '/students', label: 'Students', onClick: onLeave }}
      title={`Edit family details of student with ID: ${studentId}`}
      sub="Saving continues to each semester."
    />
  );
}

interface FamilyEditProps {
  family: Family;
  version: string | undefined;
}

const toValues = (family: Family, version = '') => ({ ...fromFamily(family), version });

export function FamilyEdit({ family, version }: FamilyEditProps) {
  const { student_id: studentId } = family;
  const navigate = useNavigate();
  const wayBack = useWayBack();
  const queries = useQueryClient();
  const initial = toValues(family, version);
  const form = useDraftForm({ draftKey: familyEditDraft(studentId), initial });
  const edit = useStaleEdit(form, {
    initial,
    readAgain: async () => {
      const now = await callVersioned<StudentRecord | null>('GET', studentPath(studentId));
      return toValues(now.body?.family ?? family, now.version);
    },
  });

  const save = () =>
    edit.save(async (ifMatch) => {
      const { version: _, ...details } = form.values;
      const body = { student_id: studentId, ...details };
      await call('PUT', `${studentPath(studentId)}/family`, { body, ifMatch });
      form.discardDraft();
      forgetStudent(queries, studentId);
      await navigate({ to: '/students/$studentId/academics/edit', params: { studentId } });
    });
  const goBack = () => {
    form.discardDraft();
    wayBack();
  };

  return (
    <>
      <FamilyEditHead studentId={studentId} onLeave={form.discardDraft} />
      <FamilyForm
        form={form}
        initial={initial}
        stale={edit.stale}
        submitLabel="Update Entry"
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
