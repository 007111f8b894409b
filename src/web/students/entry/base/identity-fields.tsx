import { EARLIEST_DATE } from '../../../../domain/student.ts';
import { FormSection } from '../../../forms/form-layout.tsx';
import { MissingFileNotice, type SelectedFile } from '../../../forms/selected-file.tsx';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { DateField } from '../../../ui/fields/date-field.tsx';
import { SelectField, TextField } from '../../../ui/fields/input-fields.tsx';
import { PictureField } from '../../../ui/fields/picture-field.tsx';
import { usePicture } from '../../../ui/fields/use-picture.ts';
import { GENDER_LABELS, STUDENT_LABELS as LABELS, phoneHint, portraitPath } from '../../student-format.ts';
import { NamesakesHint } from './namesakes-hint.tsx';
import type { StudentValues } from './student-values.ts';

const GENDER_OPTIONS = [
  { value: 'F', label: GENDER_LABELS.F },
  { value: 'M', label: GENDER_LABELS.M },
];

const half = 'xs:col-span-6';

interface IdentityFieldsProps {
  form: DraftForm<keyof StudentValues>;
  portrait: SelectedFile;
  isNew: boolean;
}

export function IdentityFields({ form, portrait, isNew }: IdentityFieldsProps) {
  return (
    <FormSection title="Identity" text="As written on the CNIC or B-Form.">
      <TextField {...fieldProps(form, 'first_name')} label={LABELS.first_name} required className={half} />
      <TextField {...fieldProps(form, 'last_name')} label={LABELS.last_name} required className={half} />
      <DateField
        {...fieldProps(form, 'dob')}
        label={LABELS.dob}
        min={EARLIEST_DATE}
        showsAge
        required
        className={half}
      />
      <SelectField
        {...fieldProps(form, 'gender')}
        label={LABELS.gender}
        options={GENDER_OPTIONS}
        placeholder="Select gender"
        className={half}
      />
      {isNew && <NamesakesHint values={form.values} />}
      <TextField
        {...fieldProps(form, 'phone_number')}
        type="tel"
        label={LABELS.phone_number}
        hint={phoneHint(form.values.phone_number)}
        className={half}
      />
      <PortraitField form={form} portrait={portrait} />
    </FormSection>
  );
}

/** A picture, or instead of it a text. */
function PortraitField({ form, portrait: { file, select, lostName } }: Omit<IdentityFieldsProps, 'isNew'>) {
  const path = portraitPath(form.values.img);
  const stored = usePicture(path);
  const takesText = file === null && (path === null || form.errors.img !== undefined);
  return (
    <PictureField
      label={LABELS.img_file}
      name="img_file"
      subject="student portrait"
      file={file}
      onFile={select}
      picture={stored}
      onRemove={() => (file === null ? form.setValue('img', '') : select(null))}
      error={form.errors.img_file}
      hint={<MissingFileNotice name={lostName} />}
    >
      {takesText && (
        <TextField
          {...fieldProps(form, 'img')}
          label={LABELS.img}
          hint="A file name or link, instead of a picture."
          className="w-full"
        />
      )}
    </PictureField>
  );
}
