import type { ReactNode } from 'react';
import { type DraftForm, formField } from '../forms/form-field.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import type { Stale } from '../forms/use-stale-edit.ts';
import { Button } from '../ui/button.tsx';
import { TextAreaField } from '../ui/fields.tsx';
import { FormFoot, FormSection } from '../ui/form-parts.tsx';
import { EducationFields } from './education-fields.tsx';
import { EnrolmentFields } from './enrolment-fields.tsx';
import { IdentityFields } from './identity-fields.tsx';
import { STUDENT_LABELS } from './student-labels.ts';
import type { StudentValues } from './student-values.ts';

interface StudentFormProps {
  form: DraftForm<keyof StudentValues>;
  /** What the form holds without a draft. */
  initial: StudentValues;
  /** What somebody else has saved meanwhile. */
  stale?: Stale<keyof StudentValues> | null;
  portrait: ChosenFile;
  submitLabel: string;
  isIdFixed?: boolean;
  /** Runs the save and throws what the server refuses. */
  onSave: () => Promise<void>;
  /** The way out beside the button that saves. */
  back: ReactNode;
}

/** The base record: the first step of a new entry, and its editing. */
export function StudentForm({
  form,
  initial,
  stale,
  portrait,
  submitLabel,
  isIdFixed = false,
  onSave,
  back,
}: StudentFormProps) {
  return (
    <>
      <FormMessages form={form} labels={STUDENT_LABELS} initial={initial} stale={stale} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(onSave);
        }}
      >
        <IdentityFields form={form} portrait={portrait} />
        <EnrolmentFields form={form} isIdFixed={isIdFixed} />
        <EducationFields form={form} />
        <FormSection title="Reasons/Comments" text="Anything a colleague should know. Optional.">
          <TextAreaField {...formField(form, 'reason')} label={STUDENT_LABELS.reason} rows={3} />
        </FormSection>
        <FormFoot>
          {back}
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            {submitLabel}
          </Button>
        </FormFoot>
      </form>
    </>
  );
}
