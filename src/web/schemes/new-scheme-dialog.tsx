import { useNavigate } from '@tanstack/react-router';
import type { SchemeSummary } from '../../contract/schemes/schemes.ts';
import { DEPARTMENT_CODES } from '../../domain/student.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts';
import { call } from '../lib/call.ts';
import { oneOf } from '../lib/one-of.ts';
import { DEPARTMENT_OPTIONS } from '../reports/class-options.ts';
import { SelectField, TextField } from '../ui/fields/input-fields.tsx';
import { parseBatches, schemesQuery, schemeTitle } from './scheme-queries.ts';

interface NewSchemeDialogProps {
  schemes: readonly SchemeSummary[];
  /** The scheme whose rows and batches the draft begins with. */
  from?: SchemeSummary;
  onClose: () => void;
}

/** Begins a draft, empty or with the rows of another scheme, and opens it. */
export function NewSchemeDialog({ schemes, from, onClose }: NewSchemeDialogProps) {
  const navigate = useNavigate();
  const idempotencyKey = useIdempotencyKey();
  return (
    <FormDialog
      title={from === undefined ? 'New scheme' : `New version of No. ${from.number}`}
      fields={{
        name: from?.name ?? '',
        department: from?.department ?? '',
        degrees: from?.degrees?.join(', ') ?? '',
        from: String(from?.scheme_id ?? ''),
      }}
      action="Begin the draft"
      failure="The draft could not be made. Try again."
      run={({ name, department, degrees, from: basis }) => {
        const body = {
          name,
          // The server says what is missing.
          department: oneOf(DEPARTMENT_CODES, department) ?? DEPARTMENT_CODES[0],
          degrees: parseBatches(degrees),
          from: basis === '' ? null : Number(basis),
        };
        return call('POST /api/schemes', { body, idempotencyKey: idempotencyKey(body) });
      }}
      invalidates={[schemesQuery.queryKey]}
      onDone={({ scheme }) =>
        navigate({
          to: '/settings/schemes/$schemeId',
          params: { schemeId: String(scheme.scheme_id) },
        })
      }
      onClose={onClose}
    >
      {({ field, change, values }) => (
        <>
          <TextField {...field('name')} label="Name" maxLength={100} required />
          <SelectField
            {...field('department')}
            label="Department"
            placeholder="Select a department"
            options={DEPARTMENT_OPTIONS}
            required
          />
          <TextField
            {...field('degrees')}
            label="Batches"
            placeholder="46, 47"
            hint="With commas. Empty: all batches of the department."
          />
          <SelectField
            {...field('from')}
            label="Rows of"
            placeholder="No rows"
            options={schemes
              .filter(({ department }) => values.department === '' || department === values.department)
              .map((scheme) => ({ value: String(scheme.scheme_id), label: schemeTitle(scheme) }))}
            onChange={(chosen) => change({ from: chosen })}
          />
        </>
      )}
    </FormDialog>
  );
}
