import type { ReactNode } from 'react';
import type { EditConflict } from '../../../forms/conflicts/use-edit-conflict.ts';
import { Form } from '../../../forms/form.tsx';
import { FormFooter, FormSection } from '../../../forms/form-layout.tsx';
import { FormMessages } from '../../../forms/messages/form-messages.tsx';
import { moveOnAtEnter } from '../../../forms/move-on.ts';
import type { SelectedFile } from '../../../forms/selected-file.tsx';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { beginInFirstField } from '../../../lib/navigation/first-field.ts';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/fields/input-fields.tsx';
import { STUDENT_LABELS } from '../../student-format.ts';
import { EducationFields } from './education-fields.tsx';
import { EnrolmentFields } from './enrolment-fields.tsx';
import { IdentityFields } from './identity-fields.tsx';
import type { StudentValues } from './student-values.ts';

interface StudentFormProps {
  form: DraftForm<keyof StudentValues>;
  /** The values of the form without a draft. */
  initial: StudentValues;
  /** The values that another user has saved since the form was filled. */
  stale?: EditConflict<keyof StudentValues> | null;
  portrait: SelectedFile;
  /** The registration number that was refused because another student has it. */
  takenId?: string | undefined;
  submitLabel: string;
  isIdFixed?: boolean;
  /** The registration number that a new entry begins with. */
  nextId?: string;
  /** @param closes leads to the record of the student instead of the next step */
  onSave: (closes: boolean) => Promise<void>;
  /** The button that leaves the form. */
  back: ReactNode;
}

/** The base record, for the first step of a new entry and for editing. */
export function StudentForm({
  form,
  initial,
  stale,
  portrait,
  takenId,
  submitLabel,
  isIdFixed = false,
  nextId = '',
  onSave,
  back,
}: StudentFormProps) {
  return (
    <>
      <FormMessages form={form} labels={STUDENT_LABELS} initial={initial} stale={stale} file={portrait} />
      <Form ref={beginInFirstField} onKeyDown={moveOnAtEnter} onSubmit={() => onSave(false)}>
        <IdentityFields form={form} portrait={portrait} isNew={!isIdFixed} />
        <EnrolmentFields form={form} takenId={takenId} isIdFixed={isIdFixed} nextId={nextId} />
        <EducationFields form={form} isNew={!isIdFixed} />
        <FormSection title="Reasons/Comments" text="Anything a colleague should know. Optional.">
          <TextAreaField {...fieldProps(form, 'reason')} label={STUDENT_LABELS.reason} rows={3} />
        </FormSection>
        <FormFooter>
          {back}
          <Button aria-disabled={form.isProcessing} onClick={() => void onSave(true)}>
            Save and close
          </Button>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            {submitLabel}
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
