import { Link } from '@tanstack/react-router';
import { LogOut, Menu } from 'lucide-react';
import { PaletteButton } from '../palette/palette-button.tsx';
import { useCurrentUser } from '../session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Initials } from './initials.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

interface HeaderProps {
  onMenu: () => void;
  onSearch: () => void;
  onLogout: () => void;
}

/** The bar at the top: below 1280 px with the menu and Logout, above it with theme and account; the palette on both. */
export function Header({ onMenu, onSearch, onLogout }: HeaderProps) {
  const user = useCurrentUser();
  return (
    <header className="@container sticky top-0 z-(--z-bar) flex h-(--bar-h-touch) items-center gap-2 border-line border-b bg-paper px-2 xl:h-(--bar-h) xl:gap-1.5 xl:px-(--gutter)">
      <IconButton label="Open menu" large className="xl:hidden" onClick={onMenu}>
        <Menu strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <p className="min-w-0 flex-1 font-semibold text-section tracking-[-.005em] xl:font-medium xl:text-fg-3 xl:text-label xl:tracking-normal">
        <span className="max-md:hidden">Student Information Management System</span>
        <abbr className="no-underline md:hidden" title="Student Information Management System">
          SIMS
        </abbr>
      </p>
      <PaletteButton onOpen={onSearch} />
      <ThemeSwitch className="max-xl:hidden" />
      <Link
        to="/list-users"
        className="flex min-h-8 items-center gap-2 rounded-control ps-1 pe-2.5 font-medium text-label hover:bg-hover max-xl:hidden"
      >
        <Initials name={user?.name ?? ''} />
        <span className="max-w-60 truncate">{user?.name}</span>
      </Link>
      <Button variant="quiet" className="xl:hidden" onClick={onLogout}>
        <LogOut strokeWidth={1.75} aria-hidden="true" />
        {/* Where text is much larger, the icon alone has room. */}
        <span className="@max-[18rem]:sr-only">Logout</span>
      </Button>
    </header>
  );
}
