import { calendarDate } from '../../../../domain/age.ts';
import { DEPARTMENT_CODES, DEPARTMENTS, STATUS_CODES, SYNDICATES } from '../../../../domain/student.ts';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import { StatusFields, toStatusChange } from '../../status-fields.tsx';
import type { BulkChange } from './use-bulk.ts';

/** The values of the fields; empty where nothing is selected. */
export interface BulkFieldValues {
  action: string;
  syn: string;
  department: string;
  status: string;
  date: string;
  reason: string;
}
export const emptyBulkFields = (): BulkFieldValues => ({
  action: '',
  syn: '',
  department: '',
  status: '',
  reason: '',
  date: calendarDate(new Date()),
});

/** The change that the fields describe; undefined while it is incomplete. */
export function toBulkChange({
  action,
  syn: syndicate,
  department: code,
  ...values
}: BulkFieldValues): BulkChange | undefined {
  if (action === 'next-semester') return { action };
  const syn = SYNDICATES.find((one) => one === syndicate);
  if (action === 'syndicate' && syn !== undefined) return { action, syn };
  const department = DEPARTMENT_CODES.find((one) => one === code);
  if (action === 'department' && department !== undefined) return { action, department };
  const status = STATUS_CODES.find((one) => one === values.status);
  // A date that can't be read is an empty one.
  if (action === 'status' && status !== undefined && values.date !== '')
    return { action, ...toStatusChange({ ...values, status }) };
  return undefined;
}

interface BulkFieldsProps {
  values: BulkFieldValues;
  onChange: (values: BulkFieldValues) => void;
}

export function BulkFields({ values, onChange }: BulkFieldsProps) {
  const field = (name: keyof BulkFieldValues) => ({
    // The filters of the list have fields of the same names.
    name: `bulk-${name}`,
    value: values[name],
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  return (
    <div className="grid gap-4 pb-4 xs:grid-cols-2">
      <SelectField
        {...field('action')}
        label="What to change"
        placeholder="Select …"
        options={[
          { value: 'next-semester', label: 'Move to the next semester' },
          { value: 'syndicate', label: 'Set the syndicate' },
          { value: 'department', label: 'Set the department' },
          { value: 'status', label: 'Set the status' },
        ]}
      />
      {values.action === 'syndicate' && (
        <SelectField
          {...field('syn')}
          label="Syndicate"
          placeholder="Select …"
          options={SYNDICATES.map((value) => ({ value, label: value }))}
        />
      )}
      {values.action === 'department' && (
        <SelectField
          {...field('department')}
          label="Department"
          placeholder="Select …"
          options={DEPARTMENT_CODES.map((value) => ({ value, label: DEPARTMENTS[value] }))}
        />
      )}
      {values.action === 'status' && <StatusFields field={field} />}
    </div>
  );
}
