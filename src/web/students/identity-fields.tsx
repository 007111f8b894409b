import { EARLIEST_DATE } from '../../domain/student.ts';
import { type DraftForm, formField } from '../forms/form-field.ts';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import { DateField, SelectField, TextField } from '../ui/fields.tsx';
import { FormSection } from '../ui/form-parts.tsx';
import { PortraitField } from './portrait-field.tsx';
import { STUDENT_LABELS as LABELS } from './student-labels.ts';
import type { StudentValues } from './student-values.ts';

const GENDER_OPTIONS = [
  { value: 'F', label: 'Female' },
  { value: 'M', label: 'Male' },
];

const half = 'xs:col-span-6';

interface IdentityFieldsProps {
  form: DraftForm<keyof StudentValues>;
  portrait: ChosenFile;
}

export function IdentityFields({ form, portrait }: IdentityFieldsProps) {
  return (
    <FormSection title="Identity" text="As written on the CNIC or B-Form.">
      <TextField {...formField(form, 'first_name')} label={LABELS.first_name} required className={half} />
      <TextField {...formField(form, 'last_name')} label={LABELS.last_name} required className={half} />
      <DateField
        {...formField(form, 'dob')}
        label={LABELS.dob}
        min={EARLIEST_DATE}
        required
        className={half}
      />
      <SelectField
        {...formField(form, 'gender')}
        label={LABELS.gender}
        options={GENDER_OPTIONS}
        placeholder="Select gender"
        className={half}
      />
      <TextField
        {...formField(form, 'phone_number')}
        type="tel"
        label={LABELS.phone_number}
        className={half}
      />
      <TextField
        {...formField(form, 'img')}
        label={LABELS.img}
        hint="File name or link, when no picture is chosen."
        className={half}
      />
      <PortraitField form={form} portrait={portrait} />
    </FormSection>
  );
}
