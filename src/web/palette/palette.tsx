import { useModal } from '../ui/use-modal.ts';
import { PaletteSearch } from './palette-search.tsx';

interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
  onHelp: () => void;
  onLogout: () => void;
}

/** Any screen, student, course or action by a few letters. */
export function Palette({ isOpen, onClose, ...acts }: PaletteProps) {
  const dialog = useModal(isOpen);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the palette is an extra; Escape is there.
    <dialog
      ref={dialog}
      aria-label="Search or jump to"
      className="layer layer-palette"
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onClose={() => {
        if (isOpen) onClose();
      }}
    >
      {isOpen && <PaletteSearch onClose={onClose} {...acts} />}
    </dialog>
  );
}
