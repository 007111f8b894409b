import { FormDialog } from '../../../forms/form-dialog.tsx';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import { MAX_NAME_LENGTH } from './suggested-name.ts';

interface SaveViewDialogProps {
  title: string;
  /** The initial name, selected so that typing replaces it. */
  name: string;
  /** Throws what the server refuses. */
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a view. */
export function SaveViewDialog({ title, name, onSave, onClose }: SaveViewDialogProps) {
  return (
    <FormDialog
      title={title}
      fields={{ name }}
      action="Save"
      failure="The view could not be saved. Try again."
      run={(values) => onSave(values.name)}
      onClose={onClose}
    >
      {({ field }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: no action, the name is selected so that typing replaces it.
        <div
          onFocus={({ target }) => {
            if (target instanceof HTMLInputElement) target.select();
          }}
        >
          <TextField {...field('name')} label="Name" maxLength={MAX_NAME_LENGTH} required />
        </div>
      )}
    </FormDialog>
  );
}
