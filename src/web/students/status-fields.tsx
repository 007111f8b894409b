import { calendarDate } from '../../domain/age.ts';
import { STATUS_CODES, STATUSES } from '../../domain/student.ts';
import { DateField } from '../ui/fields/date-field.tsx';
import type { FieldProps } from '../ui/fields/field.tsx';
import { SelectField, TextField } from '../ui/fields/input-fields.tsx';

export interface StatusValues {
  status: string;
  date: string;
  reason: string;
}

/** The change as the API takes it. Today is left to the server, where another day may have begun. */
export const toStatusChange = <Values extends StatusValues>({ date, ...values }: Values) => ({
  ...values,
  date: date === calendarDate(new Date()) ? null : date,
});

interface StatusFieldsProps {
  /** Name, value, setter and error of a field. */
  field: (name: keyof StatusValues) => Pick<FieldProps, 'name' | 'value' | 'onChange' | 'error'>;
}

/** The fields of a change of the status, of one student or of many. */
export function StatusFields({ field }: StatusFieldsProps) {
  return (
    <>
      <SelectField
        {...field('status')}
        label="Status"
        required
        placeholder="Select …"
        options={STATUS_CODES.map((value) => ({ value, label: STATUSES[value] }))}
      />
      <DateField {...field('date')} label="Since" required max={calendarDate(new Date())} />
      <TextField {...field('reason')} label="Reason (optional)" maxLength={255} />
    </>
  );
}
