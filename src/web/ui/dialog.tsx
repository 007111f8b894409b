import { X } from 'lucide-react';
import { useId } from 'react';
import { Button, IconButton } from './button.tsx';
import { useModal } from './use-modal.ts';

interface DialogProps {
  isOpen: boolean;
  /** The one sentence that is asked. */
  text: string;
  onYes: () => void;
  /** No, the X and Escape. */
  onNo: () => void;
  tone?: 'ink' | 'danger';
  processing?: boolean | undefined;
}

/** A question that is answered with No or Yes. No comes first in the document, so it gets the focus. */
export function Dialog({ isOpen, text, onYes, onNo, tone = 'ink', processing }: DialogProps) {
  const dialog = useModal(isOpen);
  const textId = useId();
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={textId}
      className="layer layer-question"
      onCancel={(event) => {
        event.preventDefault();
        if (!processing) onNo();
      }}
      onClose={() => {
        if (isOpen) onNo();
      }}
    >
      <p id={textId} className="flex-1 text-pretty pe-7 font-[560] text-section leading-5.5">
        {text}
      </p>
      <div className="mt-4 grid grid-cols-2 gap-2">
        <Button onClick={onNo}>No</Button>
        <Button variant={tone === 'danger' ? 'danger' : 'primary'} processing={processing} onClick={onYes}>
          Yes
        </Button>
      </div>
      <IconButton label="Close" onClick={onNo} className="absolute end-2.5 top-2.5">
        <X strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </dialog>
  );
}
