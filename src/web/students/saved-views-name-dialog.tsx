import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { useModal } from '../ui/use-modal.ts';
import { NAME_LENGTH } from './saved-views-name.ts';

interface NameDialogProps {
  title: string;
  /** What stands in the field at first, ready to be typed over. */
  name: string;
  /** Refuses by throwing. */
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a view. */
export function ViewNameDialog({ title, name: firstName, onSave, onClose }: NameDialogProps) {
  const dialog = useModal(true);
  const titleId = useId();
  const [name, setName] = useState(firstName);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  /** By the browser, which gives the focus back. */
  const close = () => dialog.current?.close();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsSaving(true);
    try {
      await onSave(name);
      close();
    } catch (refusal) {
      setError(textOf(refusal));
      setIsSaving(false);
      dialog.current?.querySelector('input')?.focus();
    }
  };

  return (
    <dialog ref={dialog} aria-labelledby={titleId} className="layer layer-question" onClose={onClose}>
      <form noValidate onSubmit={(event) => void save(event)} className="grid flex-1 content-between gap-4">
        <h2 id={titleId}>{title}</h2>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is triggered, the name is chosen to be typed over. */}
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
            maxLength={NAME_LENGTH}
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
    </dialog>
  );
}

function textOf(refusal: unknown): string {
  if (!(refusal instanceof ApiError)) return 'The view could not be saved. Try again.';
  const { name, view } = refusal.errors;
  return name?.[0] ?? view?.[0] ?? refusal.message;
}
