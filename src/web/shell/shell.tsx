import { CatchBoundary, Link, Outlet, useRouterState } from '@tanstack/react-router';
import { LogOut, Menu } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { focusMain } from '../lib/navigation/navigation.ts';
import { useCurrentUser, useNavExpanded } from '../lib/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { LogOutDialog } from '../ui/dialog/log-out-dialog.tsx';
import { PageError } from './error-page.tsx';
import { Initials } from './initials.tsx';
import { PrintHead } from './print-head.tsx';
import { MenuDrawer, Sidebar } from './sidebar.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import './shell.css';

interface ShellProps {
  /** The control in the header that opens the search. */
  search: ReactNode;
  /** An open search closes the menu. */
  isSearchOpen: boolean;
  /** Dialogs and panels above the page; `askToLogOut` opens the logout dialog. */
  overlays: (askToLogOut: () => void) => ReactNode;
  children?: ReactNode;
}

/** The frame around every page of a signed-in user. */
export function Shell({ search, isSearchOpen, overlays, children = <Outlet /> }: ShellProps) {
  const isNavExpanded = useNavExpanded();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [asksToLogOut, setAsksToLogOut] = useState(false);
  const askToLogOut = () => setAsksToLogOut(true);
  // Resets the error boundary once the next page is rendered: the URL changes while the failed page is still shown.
  const pageKey = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key });
  useEffect(() => {
    if (isSearchOpen) setIsMenuOpen(false);
  }, [isSearchOpen]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to #main, but without writing it into the URL. */}
      <a
        href="#main"
        onClick={skipToMain}
        className="skip-link fixed top-2 left-2 z-99 -translate-y-16 rounded-control bg-ink px-3 py-2 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="shell" data-nav={isNavExpanded ? 'wide' : 'narrow'}>
        <Sidebar onLogout={askToLogOut} />
        <div className="min-w-0">
          <Header search={search} onMenu={() => setIsMenuOpen(true)} onLogout={askToLogOut} />
          <main id="main" tabIndex={-1}>
            <PrintHead />
            <CatchBoundary getResetKey={() => pageKey ?? ''} errorComponent={PageError}>
              {children}
            </CatchBoundary>
          </main>
        </div>
      </div>
      <MenuDrawer isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} onLogout={askToLogOut} />
      {overlays(askToLogOut)}
      <LogOutDialog isOpen={asksToLogOut} onClose={() => setAsksToLogOut(false)} />
    </>
  );
}

/** Leaves the URL alone: pages use its fragment, and a skip should not add a history entry. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
  window.scrollTo(0, 0);
}

interface HeaderProps {
  search: ReactNode;
  onMenu: () => void;
  onLogout: () => void;
}

/** The top bar: menu and Logout below 1280 px, theme and account above; the search on both. */
function Header({ search, onMenu, onLogout }: HeaderProps) {
  const user = useCurrentUser();
  return (
    <header className="@container sticky top-0 z-(--z-bar) flex h-(--bar-h-touch) items-center gap-2 border-line border-b bg-paper px-2 xl:h-(--bar-h) xl:gap-1.5 xl:px-(--gutter)">
      <IconButton label="Open menu" large className="xl:hidden" onClick={onMenu}>
        <Menu />
      </IconButton>
      <p className="min-w-0 flex-1 font-semibold text-section tracking-[-.005em] xl:font-medium xl:text-fg-3 xl:text-label xl:tracking-normal">
        <span className="max-md:hidden">Student Information Management System</span>
        <abbr className="no-underline md:hidden" title="Student Information Management System">
          SIMS
        </abbr>
      </p>
      {search}
      <ThemeSwitch className="max-xl:hidden" />
      <Link
        to="/list-users"
        className="flex min-h-8 items-center gap-2 rounded-control ps-1 pe-2.5 font-medium text-label hover:bg-hover max-xl:hidden"
      >
        <Initials name={user?.name ?? ''} />
        <span className="max-w-60 truncate">{user?.name}</span>
      </Link>
      <Button variant="quiet" className="xl:hidden" onClick={onLogout}>
        <LogOut />
        {/* With much larger text, only the icon has room. */}
        <span className="@max-[18rem]:sr-only">Logout</span>
      </Button>
    </header>
  );
}
