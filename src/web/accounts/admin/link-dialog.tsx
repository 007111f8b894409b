import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { fieldId } from '../../ui/fields/field.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';

const NAME = 'account-link';

interface LinkDialogProps {
  title: string;
  text: string;
  /** Path of the link within the application. */
  link: string;
  onClose: () => void;
}

/** Shows a link to hand over. It can't be shown again: the server keeps only its hash. */
export function LinkDialog({ title, text, link, onClose }: LinkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const address = new URL(link, location.origin).href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      flash('The link has been copied.');
      dialog.current?.close();
    } catch {
      // Browsers refuse without https. Selected, the link can be copied by hand.
      const field = document.getElementById(fieldId(NAME));
      if (field instanceof HTMLInputElement) field.select();
    }
  };
  return (
    <TaskDialog dialog={dialog} title={title} isRunning={false} onClose={onClose}>
      <div className="flex flex-col gap-4 overflow-y-auto px-5 pb-5">
        <p className="text-fg-2">{text}</p>
        <TextField
          label="Link"
          name={NAME}
          value={address}
          onChange={() => undefined}
          readOnly
          hint="It is shown only now."
        />
        <div className="flex flex-wrap justify-end gap-2 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Close</Button>
          <Button variant="primary" onClick={() => void copy()}>
            Copy link
          </Button>
        </div>
      </div>
    </TaskDialog>
  );
}
