import { MAX_HELD } from '../../../domain/marksheets/attendance.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import type { Part } from './use-attendance-editing.ts';

interface HeldDialogProps {
  part: Part;
  held: number | null;
  onSet: (held: number) => void;
  onClose: () => void;
}

/** How many classes of a part were held: for all students of the sheet. */
export function HeldDialog({ part, held, onSet, onClose }: HeldDialogProps) {
  return (
    <FormDialog
      title={`${part.name}: how many were held`}
      fields={{ held: held === null ? '' : String(held) }}
      action="Set for all"
      isReady={({ held: text }) => /^\d+$/.test(text.trim()) && Number(text) <= MAX_HELD}
      failure="How many were held could not be set. Try again."
      run={async ({ held: text }) => onSet(Number(text))}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          {...field('held')}
          label="Classes held"
          inputMode="numeric"
          maxLength={3}
          hint={`For all students, 0 to ${MAX_HELD}. One who joined later has another count: type 18/22.`}
          required
        />
      )}
    </FormDialog>
  );
}
