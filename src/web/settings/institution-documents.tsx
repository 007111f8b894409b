import { queryOptions, useQuery } from '@tanstack/react-query';
import { isInternalAddress, readPublicAddress } from '../../domain/documents/public-address.ts';
import { DEPARTMENT_CODES, DEPARTMENTS } from '../../domain/student.ts';
import { type DraftForm, fieldProps } from '../forms/use-draft-form.ts';
import { call } from '../lib/call.ts';
import { Alert } from '../ui/alert.tsx';
import { FieldGroup } from '../ui/fields/field-group.tsx';
import { TextField } from '../ui/fields/input-fields.tsx';
import { INSTITUTION_LABELS, type InstitutionValues } from './institution-values.ts';

/** The lines about the institution on its documents, beside the letterhead. */

const addressQuery = queryOptions({
  queryKey: ['institution', 'address'],
  queryFn: ({ signal }) => call('GET /api/institution/address', { signal }),
});

const SOURCES = {
  SIMS_PUBLIC_URL: 'from the setting SIMS_PUBLIC_URL',
  server: 'the address of the server',
} as const;

interface FormPart {
  form: DraftForm<keyof InstitutionValues>;
}

/** Where the codes on documents lead, with a warning while nobody outside gets there. */
export function PublicAddress({ form }: FormPart) {
  const { data } = useQuery(addressQuery);
  const typed = form.values.public_url.trim();
  const address = typed === '' ? data?.default_url : readPublicAddress(typed);
  return (
    <div className="wrap-anywhere grid gap-2.5">
      <TextField
        {...fieldProps(form, 'public_url')}
        label={INSTITUTION_LABELS.public_url}
        type="url"
        placeholder={data?.default_url ?? 'https://sims.example.edu'}
        spellCheck={false}
        hint={`The QR code and the text beside it lead whoever holds a document to ${address ?? 'this address'}/verify. ${
          data === undefined || typed !== '' ? '' : `Left empty: ${SOURCES[data.source]}. `
        }Documents that are out keep theirs.`}
      />
      {address !== undefined && isInternalAddress(address) && (
        <Alert tone="warn">
          Nobody outside of this network reaches {address}. Whoever gets a document can't check it.
        </Alert>
      )}
    </div>
  );
}

/** The title of the degree of each department. */
export function Degrees({ form }: FormPart) {
  return (
    <FieldGroup
      legend="Degrees"
      name="programmes"
      hint="The title of the degree to which each department leads, as documents print it. Left empty: the name of the department."
      error={form.errors.programmes}
    >
      {DEPARTMENT_CODES.map((code) => (
        <TextField
          key={code}
          {...fieldProps(form, `degree_${code}`)}
          label={DEPARTMENTS[code]}
          placeholder={`Bachelor of Engineering in ${DEPARTMENTS[code]}`}
          className="xs:col-span-12"
        />
      ))}
    </FieldGroup>
  );
}
