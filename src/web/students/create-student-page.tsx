import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { storeCurrentSemester, storeStartingSemester } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { Steps } from '../ui/steps.tsx';
import { forgetStudent } from './forget-student.ts';
import { sendStudent } from './send-student.ts';
import { StudentForm } from './student-form.tsx';
import { EMPTY_STUDENT } from './student-values.ts';

/** First step of a new entry: the base record. */
export function CreateStudentPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const form = useDraftForm({ draftKey: 'student-create', initial: EMPTY_STUDENT });
  const portrait = useChosenFile(form, 'img_file', 'picture');

  const save = async () => {
    const { values } = form;
    const { file } = portrait;
    const { student } = await sendStudent({
      method: 'POST',
      path: '/api/students',
      values,
      file,
      idempotencyKey: attemptKey({ values, size: file?.size, at: file?.lastModified }),
    });
    // Now, not when the next page has come: until then the person might load this one again.
    form.discardDraft();
    storeCurrentSemester(student.current_sem);
    storeStartingSemester(student.id, 1);
    forgetStudent(queries, student.id);
    await navigate({ to: '/students/$studentId/family/create', params: { studentId: student.id } });
  };

  return (
    <Page width="form">
      <PageHead
        back={{ to: '/students', label: 'Students', onClick: form.discardDraft }}
        title="Create an Entry"
        sub="Three steps: base details, family, then results for each semester."
        actions={<Steps current="base" />}
      />
      <StudentForm
        form={form}
        initial={EMPTY_STUDENT}
        portrait={portrait}
        submitLabel="Create Entry"
        onSave={save}
        back={
          <ButtonLink to="/students" variant="quiet" onClick={form.discardDraft}>
            Back
          </ButtonLink>
        }
      />
    </Page>
  );
}
