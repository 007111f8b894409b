import { DraftingCompass } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Verification } from '../../../contract/documents/verification.ts';
import { ThemeSwitch } from '../../shell/theme-switch.tsx';
import './verify.css';

interface VerifyLayoutProps {
  /** Who has issued the document, once that is known. */
  institution?: Verification['institution'] | undefined;
  children: ReactNode;
}

/** The page of the public checks: for people who never sign in, so without the shell. */
export function VerifyLayout({ institution, children }: VerifyLayoutProps) {
  const name = institution?.name ?? 'Student Information Management System';
  const contact = [institution?.name, institution?.address].filter(Boolean).join(', ');
  return (
    <div className="verify">
      <header className="flex items-center gap-3.5 border-line border-b bg-paper px-(--gutter) py-3.5">
        <DraftingCompass className="size-7 shrink-0 text-ink-text" strokeWidth={1.5} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <b className="wrap-anywhere block font-semibold">{name}</b>
          <span className="block text-fg-3 text-label">Document verification</span>
        </div>
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1} className="verify-main">
        {children}
      </main>
      {contact !== '' && (
        <footer className="wrap-anywhere whitespace-pre-line border-line border-t px-(--gutter) py-4 text-center text-fg-3 text-label">
          Questions: {contact}
        </footer>
      )}
    </div>
  );
}
