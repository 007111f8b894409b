import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { findFirstField } from '../../lib/navigation/first-field.ts';
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
  const isBegun = useRef(false);
  // The fields may come later.
  useEffect(() => {
    isBegun.current ||= focusFirstField(dialog.current);
  });
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
          <X />
        </IconButton>
      </div>
      {children}
    </Modal>
  );
}

/**
 * A task begins in its first field, not on the X, where Enter would close it.
 *
 * @returns whether there is a field, or somebody has moved the focus already
 */
function focusFirstField(dialog: HTMLDialogElement | null): boolean {
  if (
    dialog?.contains(document.activeElement) &&
    !document.activeElement?.matches('dialog, [aria-label="Close"]')
  )
    return true;
  const first = dialog && findFirstField(dialog);
  first?.focus();
  return first !== null;
}
