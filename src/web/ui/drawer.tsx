import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { useModal } from './use-modal.ts';

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Beside the title, smaller: whose it is. */
  sub?: ReactNode;
  /** Buttons before the X, e.g. previous and next. */
  actions?: ReactNode;
  /** Names the scrolling part. */
  bodyLabel: string;
  children: ReactNode;
}

/** A layer from the right: its head stays, its body scrolls. Escape, the X and the scrim close it. */
export function Drawer({ isOpen, onClose, title, sub, actions, bodyLabel, children }: DrawerProps) {
  const dialog = useModal(isOpen);
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the drawer is an extra; Escape and the X are there.
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="layer layer-drawer"
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onClose={() => {
        if (isOpen) onClose();
      }}
    >
      <div className="flex items-center gap-3 border-line border-b py-3.5 ps-6 pe-3.5">
        <h2 id={titleId} className="min-w-0 flex-1 text-[1.125rem] leading-6">
          {title}
          {sub !== undefined && (
            <>
              {/* A space of its own: the name of the drawer is read from the text, not from the gap. */}{' '}
              <small className="ms-1 inline-block font-[450] text-fg-3 text-label">{sub}</small>
            </>
          )}
        </h2>
        {actions}
        <IconButton label="Close" onClick={onClose}>
          <X strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {/* A part that scrolls must be reachable by keyboard. */}
      <section
        aria-label={bodyLabel}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        className="flex-1 overflow-auto px-6 pt-5 pb-10 -outline-offset-2"
      >
        {isOpen && children}
      </section>
    </dialog>
  );
}
