import { Link } from '@tanstack/react-router';
import { DraftingCompass, X } from 'lucide-react';
import { useCurrentUser } from '../session.ts';
import { IconButton } from '../ui/button.tsx';
import { useModal } from '../ui/use-modal.ts';
import { Initials } from './initials.tsx';
import { NavEntries } from './nav-entries.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

interface SlideMenuProps {
  isOpen: boolean;
  onClose: () => void;
  onLogout: () => void;
}

/** Below 1280 px: the entries from the left. Its X, the scrim, Escape and any choice close it. */
export function SlideMenu({ isOpen, onClose, onLogout }: SlideMenuProps) {
  const dialog = useModal(isOpen);
  const user = useCurrentUser();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the menu is an extra; Escape and the X are there.
    <dialog
      ref={dialog}
      aria-label="Menu"
      className="layer layer-menu"
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onClose={onClose}
    >
      <div className="flex h-(--bar-h-touch) shrink-0 items-center gap-2.5 border-line border-b ps-5 pe-1.5 font-[650] text-[1.0625rem]">
        <DraftingCompass className="size-5 text-ink-text" strokeWidth={1.75} aria-hidden="true" />
        <span className="flex-1">Admin</span>
        <IconButton label="Close menu" large onClick={onClose}>
          <X strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <NavEntries onChoose={onClose} onLogout={onLogout} />
      <div className="flex items-center gap-3 border-line border-t px-5 py-3.5 text-label">
        <Initials name={user?.name ?? ''} className="size-8 text-caption" />
        <Link to="/list-users" onClick={onClose} className="min-w-0 flex-1 hover:text-ink-text">
          <b className="block truncate font-semibold">{user?.name}</b>
          <span className="block truncate text-caption text-fg-3">{user?.email}</span>
        </Link>
        <ThemeSwitch />
      </div>
    </dialog>
  );
}
