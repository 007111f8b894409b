import {
  DEPARTMENT_CODES,
  DEPARTMENTS,
  EARLIEST_DATE,
  SEMESTER_COUNT,
  SYNDICATES,
} from '../../domain/student.ts';
import { type DraftForm, formField } from '../forms/form-field.ts';
import { DateField, NumberField, SelectField, TextField } from '../ui/fields.tsx';
import { FormSection } from '../ui/form-parts.tsx';
import { STUDENT_LABELS as LABELS } from './student-labels.ts';
import type { StudentValues } from './student-values.ts';

const DEPARTMENT_OPTIONS = DEPARTMENT_CODES.map((code) => ({
  value: code,
  label: `${DEPARTMENTS[code]} (${code})`,
}));
const SYNDICATE_OPTIONS = SYNDICATES.map((letter) => ({ value: letter, label: `Syndicate ${letter}` }));

const half = 'xs:col-span-6';

interface EnrolmentFieldsProps {
  form: DraftForm<keyof StudentValues>;
  /** A record keeps the ID it was created with. */
  isIdFixed: boolean;
}

export function EnrolmentFields({ form, isIdFixed }: EnrolmentFieldsProps) {
  return (
    <FormSection title="Enrolment" text="The registration number is shown everywhere as the CMS ID.">
      <TextField
        {...formField(form, 'id')}
        label={LABELS.id}
        required
        readOnly={isIdFixed}
        spellCheck={false}
        className={half}
      />
      <DateField
        {...formField(form, 'joining_date')}
        label={LABELS.joining_date}
        min={EARLIEST_DATE}
        required
        className={half}
      />
      <SelectField
        {...formField(form, 'department')}
        label={LABELS.department}
        required
        options={DEPARTMENT_OPTIONS}
        placeholder="Select department"
        className="xs:col-span-8"
      />
      <SelectField
        {...formField(form, 'syn')}
        label={LABELS.syn}
        required
        options={SYNDICATE_OPTIONS}
        placeholder="Select syndicate"
        className="xs:col-span-4"
      />
      <TextField {...formField(form, 'degree')} label={LABELS.degree} required className={half} />
      <NumberField
        {...formField(form, 'current_sem')}
        label={LABELS.current_sem}
        required
        min={1}
        max={SEMESTER_COUNT}
        step={1}
        hint={`1 to ${SEMESTER_COUNT}, the semester the student is in now.`}
        className={half}
      />
    </FormSection>
  );
}
