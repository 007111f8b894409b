import { type MouseEvent, type ReactNode, type RefObject, useRef } from 'react';
import { keepFocus } from '../../lib/navigation/navigation.ts';
import { useCloseOnBack } from './use-close-on-back.ts';
import { useModal } from './use-modal.ts';

interface ModalProps {
  /** Without it, the dialog is open from the time it is rendered. */
  isOpen?: boolean;
  /** Called after the browser has closed the dialog: on Escape, by `close()` and, if asked for, on the backdrop. */
  onClose: () => void;
  /** The kind of layer, e.g. `layer-drawer`. */
  className: string;
  role?: 'alertdialog';
  /** The accessible name, or the id of the element that holds it. */
  name: string | { id: string };
  /** The id of the element that describes it. */
  description?: string | undefined;
  /** For callers that close the dialog themselves or look up elements in it. */
  dialog?: RefObject<HTMLDialogElement | null>;
  closesOnBackdrop?: boolean;
  /** Escape and Back do nothing while something runs that can't be left. */
  isLocked?: boolean | undefined;
  children: ReactNode;
}

/** The frame of the modal dialogs. The browser traps the focus and gives it back on close. */
export function Modal({ isOpen = true, onClose, name, dialog: ref, ...rest }: ModalProps) {
  const { className, role, description, closesOnBackdrop = false, isLocked = false, children } = rest;
  const dialog = useModal(isOpen, ref);
  useCloseOnBack(isOpen, { close: () => dialog.current?.close(), isLocked: () => isLocked });
  // A text selected by dragging past the edge ends in a click on the backdrop, too.
  const pressed = useRef<EventTarget>(null);
  const closeOnBackdrop = ({ target }: MouseEvent) => {
    if (target === dialog.current && pressed.current === target) dialog.current?.close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is an extra; Escape closes as well.
    <dialog
      ref={dialog}
      role={role}
      {...(typeof name === 'string' ? { 'aria-label': name } : { 'aria-labelledby': name.id })}
      aria-describedby={description}
      className={`layer ${className}`}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={closesOnBackdrop ? closeOnBackdrop : undefined}
      onCancel={(event) => {
        if (isLocked) event.preventDefault();
      }}
      onClose={({ currentTarget }) => {
        // What opened the dialog may be gone.
        keepFocus();
        // The event comes a little after the closing. By then the dialog may be open again.
        if (isOpen && !currentTarget.open) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
