import { DEPARTMENT_CODES } from '../../../domain/student.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { callWithVersion } from '../../lib/call.ts';
import { oneOf } from '../../lib/one-of.ts';
import { DEPARTMENT_OPTIONS } from '../../reports/class-options.ts';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { parseBatches, schemesQuery } from '../scheme-queries.ts';
import type { SchemeDraft } from './use-scheme-draft.ts';

interface DraftHeadDialogProps {
  schemeId: number;
  draft: SchemeDraft;
  onClose: () => void;
}

/** Changes the name of a draft and whom it is for. */
export function DraftHeadDialog({ schemeId, draft, onClose }: DraftHeadDialogProps) {
  const { name, department, degrees } = draft.head;
  return (
    <FormDialog
      title="Name and batches"
      fields={{ name, department, degrees: degrees?.join(', ') ?? '' }}
      action="Save"
      failure="The draft could not be saved. Try again."
      run={async (values) => {
        const head = {
          name: values.name,
          department: oneOf(DEPARTMENT_CODES, values.department) ?? department,
          degrees: parseBatches(values.degrees),
        };
        const { body, version } = await callWithVersion('PUT /api/schemes/:scheme_id', {
          params: { scheme_id: schemeId },
          body: { ...draft.body, ...head },
          ifMatch: draft.version,
        });
        return { scheme: body.scheme, version };
      }}
      invalidates={[schemesQuery.queryKey]}
      onDone={({ scheme, version }) => draft.setHead(scheme, version)}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField {...field('name')} label="Name" maxLength={100} required />
          <SelectField {...field('department')} label="Department" options={DEPARTMENT_OPTIONS} required />
          <TextField
            {...field('degrees')}
            label="Batches"
            hint="With commas. Empty: all batches of the department."
          />
        </>
      )}
    </FormDialog>
  );
}
