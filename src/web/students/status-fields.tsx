import { calendarDate } from '../../domain/age.ts';
import { STATUS_CODES, STATUSES } from '../../domain/student.ts';
import type { FieldErrors } from '../forms/use-draft-form.ts';
import { DateField } from '../ui/fields/date-field.tsx';
import { SelectField, TextField } from '../ui/fields/input-fields.tsx';

export interface StatusValues {
  status: string;
  date: string;
  reason: string;
}

/**
 * The change as the API takes it. Today is left to the server, where another day may have begun; undefined while the date is
 * missing or can't be read.
 */
export function toStatusChange<Status extends string>(status: Status, { date, reason }: StatusValues) {
  if (date === '') return undefined;
  return { status, date: date === calendarDate(new Date()) ? null : date, reason };
}

interface StatusFieldsProps<Values extends StatusValues> {
  values: Values;
  onChange: (values: Values) => void;
  errors?: FieldErrors;
}

/** The fields of a change of the status, of one student or of many. */
export function StatusFields<Values extends StatusValues>({
  values,
  onChange,
  errors = {},
}: StatusFieldsProps<Values>) {
  const set = (name: keyof StatusValues) => (value: string) => onChange({ ...values, [name]: value });
  return (
    <>
      <SelectField
        label="Status"
        name="status"
        required
        value={values.status}
        onChange={set('status')}
        placeholder="Select …"
        options={STATUS_CODES.map((value) => ({ value, label: STATUSES[value] }))}
        error={errors.status}
      />
      <DateField
        label="Since"
        name="status-date"
        required
        max={calendarDate(new Date())}
        value={values.date}
        onChange={set('date')}
        error={errors.date}
      />
      <TextField
        label="Reason (optional)"
        name="status-reason"
        maxLength={255}
        value={values.reason}
        onChange={set('reason')}
        error={errors.reason}
      />
    </>
  );
}
