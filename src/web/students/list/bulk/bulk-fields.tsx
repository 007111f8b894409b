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
  ...{ action: '', syn: '', department: '', status: '', reason: '' },
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
  const change = status && toStatusChange(status, { ...values, status });
  if (action === 'status' && change !== undefined) return { action, ...change };
  return undefined;
}

interface BulkFieldsProps {
  values: BulkFieldValues;
  onChange: (values: BulkFieldValues) => void;
}

export function BulkFields({ values, onChange }: BulkFieldsProps) {
  const set = (name: keyof BulkFieldValues) => (value: string) => onChange({ ...values, [name]: value });
  return (
    <div className="grid gap-4 pb-4 xs:grid-cols-2">
      <SelectField
        label="What to change"
        name="bulk-action"
        value={values.action}
        onChange={set('action')}
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
          label="Syndicate"
          name="bulk-syn"
          value={values.syn}
          onChange={set('syn')}
          placeholder="Select …"
          options={SYNDICATES.map((value) => ({ value, label: value }))}
        />
      )}
      {values.action === 'department' && (
        <SelectField
          label="Department"
          name="bulk-department"
          value={values.department}
          onChange={set('department')}
          placeholder="Select …"
          options={DEPARTMENT_CODES.map((value) => ({ value, label: DEPARTMENTS[value] }))}
        />
      )}
      {values.action === 'status' && <StatusFields values={values} onChange={onChange} />}
    </div>
  );
}
