import { CatchBoundary, Outlet, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { type QuickLayer, QuickLayers } from '../palette/quick-layers.tsx';
import { useRememberPlaces } from '../palette/use-remember-places.ts';
import { useShortcuts } from '../palette/use-shortcuts.ts';
import { useShowsNavText } from '../session.ts';
import { ExportArea } from '../students/export-panel.tsx';
import { PageFault } from './error-page.tsx';
import { focusMain } from './focus-main.ts';
import { Header } from './header.tsx';
import { LogoutDialog } from './logout-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import { SlideMenu } from './slide-menu.tsx';
import './shell.css';

/** The frame around every page of a signed-in person. */
export function Shell({ children = <Outlet /> }: { children?: ReactNode }) {
  const isWide = useShowsNavText();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [asksToLogOut, setAsksToLogOut] = useState(false);
  const [layer, setLayer] = useState<QuickLayer>(null);
  // Another page is another attempt, once it is there: the address changes while the faulty one still stands.
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.__TSR_key });
  const askToLogOut = () => setAsksToLogOut(true);
  const openPalette = () => {
    setIsMenuOpen(false);
    setLayer('palette');
  };
  useShortcuts({ onPalette: openPalette, onHelp: () => setLayer('help') });
  useRememberPlaces();
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead to #main, only without writing it into the address. */}
      <a
        href="#main"
        onClick={skip}
        className="fixed top-2 left-2 z-99 -translate-y-16 rounded-control bg-ink px-3 py-2 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="shell" data-nav={isWide ? 'wide' : 'narrow'}>
        <Sidebar onLogout={askToLogOut} />
        <div className="min-w-0">
          <Header onMenu={() => setIsMenuOpen(true)} onSearch={openPalette} onLogout={askToLogOut} />
          <main id="main" tabIndex={-1}>
            <CatchBoundary getResetKey={() => shown ?? ''} errorComponent={PageFault}>
              {children}
            </CatchBoundary>
          </main>
        </div>
      </div>
      <SlideMenu isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} onLogout={askToLogOut} />
      <QuickLayers layer={layer} onLayer={setLayer} onLogout={askToLogOut} />
      <ExportArea />
      <LogoutDialog isOpen={asksToLogOut} onClose={() => setAsksToLogOut(false)} />
    </>
  );
}

/** The address stays as it is: its fragment belongs to the page, and the way back is no stop on the way. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  focusMain();
  window.scrollTo(0, 0);
}
