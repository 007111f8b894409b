import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from '../button.tsx';
import { Modal } from './modal.tsx';

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Smaller text after the title, e.g. the student's name. */
  sub?: ReactNode;
  /** Buttons before the X, e.g. previous and next. */
  actions?: ReactNode;
  /** Names the scrolling part. */
  bodyLabel: string;
  /** While it is open, it is printed in place of the page. */
  isPrinted?: boolean;
  children: ReactNode;
}

/** A dialog at the right edge with a fixed header and a scrolling body. Escape, the X and the backdrop close it. */
export function Drawer({
  isOpen,
  onClose,
  title,
  sub,
  actions,
  bodyLabel,
  isPrinted = false,
  children,
}: DrawerProps) {
  const titleId = useId();
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      name={{ id: titleId }}
      className={isPrinted ? 'layer-drawer printed-layer' : 'layer-drawer'}
      closesOnBackdrop
    >
      <div className="flex items-center gap-3 border-line border-b py-3.5 ps-6 pe-3.5">
        <h2 id={titleId} className="min-w-0 flex-1 text-[1.125rem] leading-6">
          {title}
          {sub !== undefined && (
            <>
              {/* An explicit space: the accessible name is built from the text. */}{' '}
              <small className="ms-1 inline-block font-[450] text-fg-3 text-label">{sub}</small>
            </>
          )}
        </h2>
        {actions}
        <IconButton label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <section
        aria-label={bodyLabel}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="flex-1 overflow-auto px-6 pt-5 pb-10 -outline-offset-2"
      >
        {isOpen && children}
      </section>
    </Modal>
  );
}
