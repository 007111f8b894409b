import { DEPARTMENT_CODES, DEPARTMENTS, SYNDICATES } from '../../domain/student.ts';
import { SelectField } from '../ui/fields.tsx';
import type { BulkChange } from './bulk-request.ts';

/** What is picked in the fields; empty where nothing is yet. */
export interface ChangeValues {
  action: string;
  syn: string;
  department: string;
}
export const NO_CHANGE: ChangeValues = { action: '', syn: '', department: '' };

/** The change that the fields say, once they say a whole one. */
export function changeIn({ action, syn: syndicate, department: code }: ChangeValues): BulkChange | undefined {
  if (action === 'next-semester') return { action };
  const syn = SYNDICATES.find((one) => one === syndicate);
  if (action === 'syndicate' && syn !== undefined) return { action, syn };
  const department = DEPARTMENT_CODES.find((one) => one === code);
  if (action === 'department' && department !== undefined) return { action, department };
  return undefined;
}

interface BulkChangeFieldsProps {
  values: ChangeValues;
  onChange: (values: ChangeValues) => void;
}

export function BulkChangeFields({ values, onChange }: BulkChangeFieldsProps) {
  const set = (name: keyof ChangeValues) => (value: string) => onChange({ ...values, [name]: value });
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
