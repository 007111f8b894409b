import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
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
export function SaveViewDialog({ title, name: initialName, onSave, onClose }: SaveViewDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [name, setName] = useState(initialName);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  /** Closed by the browser, which returns the focus to where it was. */
  const close = () => dialog.current?.close();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsSaving(true);
    try {
      await onSave(name);
      close();
    } catch (refusal) {
      setError(errorText(refusal));
      setIsSaving(false);
      dialog.current?.querySelector('input')?.focus();
    }
  };

  return (
    <Modal dialog={dialog} onClose={onClose} name={{ id: titleId }} className="layer-question">
      <form noValidate onSubmit={(event) => void save(event)} className="grid flex-1 content-between gap-4">
        <h2 id={titleId}>{title}</h2>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: no action, the name is selected so that typing replaces it. */}
        <div
          onFocus={({ target }) => {
            if (target instanceof HTMLInputElement) target.select();
          }}
        >
          <TextField
            label="Name"
            name="view-name"
            value={name}
            onChange={setName}
            error={error}
            maxLength={MAX_NAME_LENGTH}
            required
          />
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isSaving}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function errorText(refusal: unknown): string {
  if (!(refusal instanceof ApiError)) return 'The view could not be saved. Try again.';
  const { name, view } = refusal.errors;
  return name?.[0] ?? view?.[0] ?? refusal.message;
}
