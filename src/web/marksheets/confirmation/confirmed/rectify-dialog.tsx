import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RectificationKind, Sheet } from '../../../../contract/marksheets/sheets.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { call } from '../../../lib/call.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import { flash } from '../../../ui/flash.tsx';
import { invalidateSheet } from '../../sheet-queries.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

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
  const [kind, setKind] = useState<RectificationKind | ''>('');
  return (
    <ReasonDialog
      title={`Rectify ${sheet.title}`}
      text="A new sheet with the same marks opens. The boundaries stay as they were confirmed; only the rows that you change are written, when it is confirmed."
      action="Open the rectification"
      run={async (reason) => {
        const body = { ...(kind !== '' && { kind }), reason };
        const { message, sheet: opened } = await call('POST /api/sheets/:sheet_id/rectify', {
          params: { sheet_id },
          body,
          idempotencyKey: idempotencyKey(body),
        });
        flash(message);
        await navigate({ to: '/marksheets/$sheetId', params: { sheetId: String(opened.sheet_id) } });
        await invalidateSheet(queries, sheet_id);
      }}
      onClose={onClose}
    >
      {(errors) => (
        <SelectField
          label="What is corrected"
          name="kind"
          value={kind}
          placeholder="Choose"
          onChange={(value) => setKind(oneOf(KINDS, value) ?? '')}
          error={errors.kind}
          options={KINDS.map((value) => ({ value, label: RECTIFICATION_NAMES[value] }))}
          required
        />
      )}
    </ReasonDialog>
  );
}
