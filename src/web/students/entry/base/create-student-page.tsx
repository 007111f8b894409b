import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { displayErrorText } from '../../../forms/messages/error-texts.ts';
import { useSelectedFile } from '../../../forms/selected-file.tsx';
import { useCreateForm } from '../../../forms/use-record-form.ts';
import { ApiError } from '../../../lib/api.ts';
import { storeCurrentSemester, storeStartingSemester } from '../../../lib/session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { flash } from '../../../ui/flash.tsx';
import { Page, PageHeader } from '../../../ui/page/page.tsx';
import { RECORD_STEPS, Stepper } from '../../../ui/page/stepper.tsx';
import { invalidateStudent } from '../../student-queries.ts';
import { useCreatedStudent } from '../../student-redirects.ts';
import { useCloseEntry } from '../close-entry.ts';
import { newEntryValues, storeLastEntry } from './last-entry.ts';
import { saveStudent } from './save-student.ts';
import { StudentForm } from './student-form.tsx';

const TAKEN_ID = 'The id has already been taken.';

/** First step of a new entry: the base record. */
export function CreateStudentPage() {
  const { isCreated, storeCreatedStudent } = useCreatedStudent('/students/$studentId/edit');
  return isCreated ? null : <CreateStudent onCreated={storeCreatedStudent} />;
}

function CreateStudent({ onCreated }: { onCreated: (studentId: string) => Promise<void> }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [initial] = useState(newEntryValues);
  const { form, submit } = useCreateForm({ draftKey: 'student-create', initial });
  const portrait = useSelectedFile(form, 'img_file', 'picture');
  const [takenId, setTakenId] = useState<string>();

  const close = useCloseEntry();

  const save = (closes: boolean) =>
    submit(
      async (idempotencyKey) => {
        const { values } = form;
        const { file } = portrait;
        try {
          return await saveStudent({
            values,
            file,
            idempotencyKey: idempotencyKey({ values, size: file?.size, at: file?.lastModified }),
          });
        } catch (error) {
          const isTaken = error instanceof ApiError && error.errors.id?.[0] === TAKEN_ID;
          setTakenId(isTaken ? values.id.trim() : undefined);
          throw error;
        }
      },
      async ({ student, warnings }) => {
        storeCurrentSemester(student.current_sem);
        storeStartingSemester(student.id, 1);
        storeLastEntry(form.values);
        invalidateStudent(queries, student.id);
        await onCreated(student.id);
        if (closes) await close(student.id);
        else await navigate({ to: '/students/$studentId/family/create', params: { studentId: student.id } });
        const warning = warnings?.id?.[0];
        if (warning !== undefined) flash(displayErrorText('id', warning), 'warning');
      },
    );

  return (
    <Page width="form">
      <PageHeader
        back={{ to: '/students', label: 'Students', onClick: form.discardDraft }}
        title="Create an Entry"
        sub={
          initial.degree === ''
            ? 'Three steps: base details, family, then results for each semester.'
            : 'The class and the years are those of your last entry, with the next registration number.'
        }
        actions={<Stepper steps={RECORD_STEPS} current="base" />}
      />
      <StudentForm
        form={form}
        initial={initial}
        portrait={portrait}
        takenId={takenId}
        submitLabel="Create Entry"
        nextId={initial.id}
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
