import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button, IconButton } from '../button.tsx';
import { Modal } from './modal.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  /** The question, one sentence. */
  text: string;
  onYes: () => void;
  /** Also called by the X and Escape. */
  onNo: () => void;
  tone?: 'ink' | 'danger';
  processing?: boolean | undefined;
  /** False while something has to be typed first. */
  isReady?: boolean | undefined;
  /** Details below the question. */
  children?: ReactNode;
}

/** A question answered with No or Yes. No comes first in the document, so it gets the focus. */
export function ConfirmDialog({
  isOpen,
  text,
  onYes,
  onNo,
  tone = 'ink',
  processing,
  isReady = true,
  children,
}: ConfirmDialogProps) {
  const textId = useId();
  const detailsId = useId();
  return (
    <Modal
      isOpen={isOpen}
      onClose={onNo}
      role="alertdialog"
      name={{ id: textId }}
      description={children === undefined ? undefined : detailsId}
      className="layer-question"
      isLocked={processing}
    >
      <div className="flex-auto">
        <p id={textId} className="text-pretty pe-7 font-[560] text-section leading-5.5">
          {text}
        </p>
        {children !== undefined && <div id={detailsId}>{children}</div>}
      </div>
      <div className="mt-4 grid grid-cols-2 gap-2">
        <Button onClick={onNo}>No</Button>
        <Button
          variant={tone === 'danger' ? 'danger' : 'primary'}
          processing={processing}
          disabled={!isReady}
          onClick={onYes}
        >
          Yes
        </Button>
      </div>
      <IconButton label="Close" onClick={onNo} className="absolute end-2.5 top-2.5">
        <X />
      </IconButton>
    </Modal>
  );
}
