import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useId } from 'react';
import { IconButton } from '../button.tsx';
import { Modal } from './modal.tsx';

interface TaskDialogProps {
  /** For closing the dialog once the task is done. */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  /** A running task can't be left. */
  isRunning: boolean;
  /** Wider; a sheet at the bottom of small screens. */
  isLarge?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A task in a dialog with a title. Escape and the X close it. */
export function TaskDialog({
  dialog,
  title,
  isRunning,
  isLarge = false,
  onClose,
  children,
}: TaskDialogProps) {
  const titleId = useId();
  return (
    <Modal
      dialog={dialog}
      onClose={onClose}
      name={{ id: titleId }}
      className={isLarge ? 'layer-task layer-large' : 'layer-task'}
      isLocked={isRunning}
    >
      <div className="flex items-start gap-3 py-3.5 ps-5 pe-3.5">
        <h2 id={titleId} className="wrap-anywhere min-w-0 flex-1 pt-1 text-[1.125rem] leading-6">
          {title}
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <X strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {children}
    </Modal>
  );
}
