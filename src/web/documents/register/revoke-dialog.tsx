import type { IssuedDocument } from '../../../contract/documents/documents.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { call } from '../../lib/call.ts';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { REGISTER_KEY } from '../document-queries.ts';

/** Declares a document invalid, with the reason. */
export function RevokeDialog({ issued, onClose }: { issued: IssuedDocument; onClose: () => void }) {
  return (
    <FormDialog
      title={`Revoke ${issued.serial}`}
      fields={{ reason: '' }}
      action="Revoke document"
      variant="danger"
      failure="The document could not be revoked. Try again."
      run={(body) => call('POST /api/documents/:serial/revoke', { params: { serial: issued.serial }, body })}
      invalidates={[REGISTER_KEY]}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-pretty text-fg-2">
            {DOCUMENT_TITLES[issued.kind]} of <bdi className="font-[560] text-fg">{issued.student_name}</bdi>.
            Whoever checks it is told that it must not be accepted. It stays in the register. This can't be
            undone.
          </p>
          <TextField
            {...field('reason')}
            label="Reason"
            maxLength={255}
            hint="Stands in the register only."
            required
          />
        </>
      )}
    </FormDialog>
  );
}
