import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useShowsNavText } from '../session.ts';
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
  const askToLogOut = () => setAsksToLogOut(true);
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-99 -translate-y-16 rounded-control bg-ink px-3 py-2 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="shell" data-nav={isWide ? 'wide' : 'narrow'}>
        <Sidebar onLogout={askToLogOut} />
        <div className="min-w-0">
          <Header onMenu={() => setIsMenuOpen(true)} onLogout={askToLogOut} />
          <main id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <SlideMenu isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} onLogout={askToLogOut} />
      <LogoutDialog isOpen={asksToLogOut} onClose={() => setAsksToLogOut(false)} />
    </>
  );
}
