import { DEPARTMENT_CODES, DEPARTMENTS, SYNDICATES } from '../../../../domain/student.ts';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import type { BulkChange } from './use-bulk.ts';

/** The values of the fields; empty where nothing is selected. */
export interface BulkFieldValues {
  action: string;
  syn: string;
  department: string;
}
export const EMPTY_BULK_FIELDS: BulkFieldValues = { action: '', syn: '', department: '' };

/** The change that the fields describe; undefined while it is incomplete. */
export function toBulkChange({
  action,
  syn: syndicate,
  department: code,
}: BulkFieldValues): BulkChange | undefined {
  if (action === 'next-semester') return { action };
  const syn = SYNDICATES.find((one) => one === syndicate);
  if (action === 'syndicate' && syn !== undefined) return { action, syn };
  const department = DEPARTMENT_CODES.find((one) => one === code);
  if (action === 'department' && department !== undefined) return { action, department };
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
        placeholder="Choose …"
        options={[
          { value: 'next-semester', label: 'Move to the next semester' },
          { value: 'syndicate', label: 'Set the syndicate' },
          { value: 'department', label: 'Set the department' },
        ]}
      />
      {values.action === 'syndicate' && (
        <SelectField
          label="Syndicate"
          name="bulk-syn"
          value={values.syn}
          onChange={set('syn')}
          placeholder="Choose …"
          options={SYNDICATES.map((value) => ({ value, label: value }))}
        />
      )}
      {values.action === 'department' && (
        <SelectField
          label="Department"
          name="bulk-department"
          value={values.department}
          onChange={set('department')}
          placeholder="Choose …"
          options={DEPARTMENT_CODES.map((value) => ({ value, label: DEPARTMENTS[value] }))}
        />
      )}
    </div>
  );
}
