import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RectificationKind, Sheet } from '../../../../contract/marksheets/sheets.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { call } from '../../../lib/call.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import { invalidateSheet } from '../../sheet-queries.ts';
import { StepReasonField } from '../step-reason-field.tsx';

export const RECTIFICATION_NAMES: Readonly<Record<RectificationKind, string>> = {
  totalling: 'Marks added up or entered wrongly',
  'missing-script': 'A script was missing',
  'incomplete-resolved': 'An incomplete was resolved',
  appeal: 'An appeal was granted',
};

const KINDS = [
  'totalling',
  'missing-script',
  'incomplete-resolved',
  'appeal',
] as const satisfies readonly RectificationKind[];

/** Opens a draft that corrects a confirmed sheet. */
export function RectifyDialog({ sheet, onClose }: { sheet: Sheet; onClose: () => void }) {
  const { sheet_id } = sheet;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const idempotencyKey = useIdempotencyKey();
  return (
    <FormDialog
      title={`Rectify ${sheet.title}`}
      fields={{ kind: '', reason: '' }}
      action="Open the rectification"
      failure="The rectification could not be opened. Try again."
      run={(values) => {
        const kind = oneOf(KINDS, values.kind);
        const body = { ...(kind !== undefined && { kind }), reason: values.reason };
        return call('POST /api/sheets/:sheet_id/rectify', {
          params: { sheet_id },
          body,
          idempotencyKey: idempotencyKey(body),
        });
      }}
      onDone={async ({ sheet: opened }) => {
        await navigate({ to: '/marksheets/$sheetId', params: { sheetId: String(opened.sheet_id) } });
        await invalidateSheet(queries, sheet_id);
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-fg-2">
            A new sheet with the same marks opens. The boundaries stay as they were confirmed; only the rows
            that you change are written, when it is confirmed.
          </p>
          <SelectField
            {...field('kind')}
            label="What is corrected"
            placeholder="Choose"
            options={KINDS.map((value) => ({ value, label: RECTIFICATION_NAMES[value] }))}
            required
          />
          <StepReasonField {...field('reason')} />
        </>
      )}
    </FormDialog>
  );
}
