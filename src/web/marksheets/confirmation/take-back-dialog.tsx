import { useQueryClient } from '@tanstack/react-query';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { focusMain } from '../../lib/navigation/navigation.ts';
import { flash } from '../../ui/flash.tsx';
import { postStep } from './confirmation-queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';

interface TakeBackDialogProps {
  sheet: Sheet;
  /** By who has submitted it. */
  isOwn: boolean;
  onClose: () => void;
}

/** Makes a submitted sheet a draft again. */
export function TakeBackDialog({ sheet: { sheet_id }, isOwn, onClose }: TakeBackDialogProps) {
  const queries = useQueryClient();
  const action = isOwn ? 'Take back' : 'Send back';
  return (
    <ReasonDialog
      title={`${action} this mark sheet`}
      text="It becomes a draft again: marks and boundaries can be changed, and it is submitted anew."
      action={action}
      run={async (reason) => {
        flash(await postStep(queries, sheet_id, 'take-back', { reason }));
        // The button that opened the dialog is gone.
        focusMain();
      }}
      onClose={onClose}
    />
  );
}
