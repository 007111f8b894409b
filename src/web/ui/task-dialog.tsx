import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useId } from 'react';
import { IconButton } from './button.tsx';

interface TaskDialogProps {
  /** As `useModal` gives it. */
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  /** What was begun can't be left before it is done. */
  isRunning: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A task in a layer over the page, under its title. Escape and the X close it; the browser gives the focus back. */
export function TaskDialog({ dialog, title, isRunning, onClose, children }: TaskDialogProps) {
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="layer layer-task"
      onCancel={(event) => {
        if (isRunning) event.preventDefault();
      }}
      onClose={onClose}
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
    </dialog>
  );
}
