import { Link } from '@tanstack/react-router';
import {
  DEPARTMENT_CODES,
  DEPARTMENTS,
  EARLIEST_DATE,
  SEMESTER_COUNT,
  SYNDICATES,
} from '../../../../domain/student.ts';
import { FormSection } from '../../../forms/form-layout.tsx';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { DateField } from '../../../ui/fields/date-field.tsx';
import { NumberField, SelectField, TextField } from '../../../ui/fields/input-fields.tsx';
import { STUDENT_LABELS as LABELS } from '../../student-format.ts';
import type { StudentValues } from './student-values.ts';

const DEPARTMENT_OPTIONS = DEPARTMENT_CODES.map((code) => ({
  value: code,
  label: `${DEPARTMENTS[code]} (${code})`,
}));
const SYNDICATE_OPTIONS = SYNDICATES.map((letter) => ({ value: letter, label: `Syndicate ${letter}` }));

const half = 'xs:col-span-6';

interface EnrolmentFieldsProps {
  form: DraftForm<keyof StudentValues>;
  /** The registration number that was refused because another student has it. */
  takenId?: string | undefined;
  /** The ID can't be changed after the record is created. */
  isIdFixed: boolean;
  /** The registration number after that of the last entry. */
  nextId: string;
}

export function EnrolmentFields({ form, takenId, isIdFixed, nextId }: EnrolmentFieldsProps) {
  return (
    <FormSection title="Enrolment" text="The registration number is shown everywhere as the CMS ID.">
      <div className={half}>
        <TextField
          {...fieldProps(form, 'id')}
          label={LABELS.id}
          required
          hint={nextId !== '' && form.values.id === nextId ? 'The one after your last entry.' : undefined}
          readOnly={isIdFixed}
          spellCheck={false}
        />
        {form.errors.id !== undefined && takenId !== undefined && (
          // What is typed is kept as a draft while the other record is looked at.
          <Link
            to="/students/$studentId"
            params={{ studentId: takenId }}
            className="link mt-1 inline-block wrap-anywhere text-label leading-6"
          >
            Open the record of {takenId}
          </Link>
        )}
      </div>
      <DateField
        {...fieldProps(form, 'joining_date')}
        label={LABELS.joining_date}
        min={EARLIEST_DATE}
        required
        className={half}
      />
      <SelectField
        {...fieldProps(form, 'department')}
        label={LABELS.department}
        required
        options={DEPARTMENT_OPTIONS}
        placeholder="Select department"
        className="xs:col-span-8"
      />
      <SelectField
        {...fieldProps(form, 'syn')}
        label={LABELS.syn}
        required
        options={SYNDICATE_OPTIONS}
        placeholder="Select syndicate"
        className="xs:col-span-4"
      />
      <TextField {...fieldProps(form, 'degree')} label={LABELS.degree} required className={half} />
      <NumberField
        {...fieldProps(form, 'current_sem')}
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
