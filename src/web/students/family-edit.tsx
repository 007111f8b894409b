import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { Family } from '../../contract/family.ts';
import { call } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/page.tsx';
import { FamilyForm } from './family-form.tsx';
import { fromFamily } from './family-values.ts';
import { forgetStudent } from './forget-student.ts';
import { studentPath } from './student-path.ts';

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

export function FamilyEdit({ family }: { family: Family }) {
  const { student_id: studentId } = family;
  const navigate = useNavigate();
  const { history } = useRouter();
  const queries = useQueryClient();
  const form = useDraftForm({ draftKey: `family-edit:${studentId}`, initial: fromFamily(family) });

  const save = async () => {
    await call('PUT', `${studentPath(studentId)}/family`, {
      body: { student_id: studentId, ...form.values },
    });
    forgetStudent(queries, studentId);
    await navigate({ to: '/students/$studentId/academics/edit', params: { studentId } });
  };
  const goBack = () => {
    form.discardDraft();
    history.back();
  };

  return (
    <>
      <FamilyEditHead studentId={studentId} onLeave={form.discardDraft} />
      <FamilyForm
        form={form}
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
