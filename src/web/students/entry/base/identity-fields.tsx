import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EARLIEST_DATE } from '../../../../domain/student.ts';
import { FormSection } from '../../../forms/form-layout.tsx';
import { MissingFileNotice, type SelectedFile } from '../../../forms/selected-file.tsx';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { dateInWords } from '../../../lib/format.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { DateField } from '../../../ui/fields/date-field.tsx';
import { SelectField, TextField } from '../../../ui/fields/input-fields.tsx';
import { PictureField } from '../../../ui/fields/picture/picture-field.tsx';
import { usePicture } from '../../../ui/fields/picture/use-picture.ts';
import {
  fullName,
  GENDER_LABELS,
  STUDENT_LABELS as LABELS,
  phoneHint,
  portraitPath,
} from '../../student-format.ts';
import { namesakesQuery } from '../../student-queries.ts';
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

const DELAY_MS = 300;

/** Names the students with the name and date of birth of a new entry, who may be the same person. It can be saved all the same. */
function NamesakesHint({ values }: { values: StudentValues }) {
  const first_name = values.first_name.trim();
  const last_name = values.last_name.trim();
  const { dob } = values;
  const [person, setPerson] = useState({ first_name, last_name, dob });
  const { run } = useDebounced(setPerson, DELAY_MS);
  useEffect(() => run({ first_name, last_name, dob }), [run, first_name, last_name, dob]);

  const born = dateInWords(person.dob);
  const isComplete = person.first_name !== '' && person.last_name !== '' && born !== '';
  const { data } = useQuery({ ...namesakesQuery(person), enabled: isComplete, retry: false });
  const students = isComplete ? (data?.students ?? []) : [];
  return (
    // Out of the grid while it is empty, when it has to be there for screen readers to announce what comes.
    <div aria-live="polite" className="empty:absolute">
      {students.length > 0 && (
        <ul className="rounded-control border border-warn-line bg-warn-soft px-3.5 py-2 text-warn">
          {students.map((student) => (
            <li key={student.id} className="wrap-anywhere">
              There is already {fullName(student)}, born {born}:{' '}
              {/* What is typed is kept as a draft while the other record is looked at. */}
              <Link
                to="/students/$studentId"
                params={{ studentId: student.id }}
                className="inline-block leading-6 underline underline-offset-3"
              >
                {student.id}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
