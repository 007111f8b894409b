import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { storedStudentsSearch } from '../../lib/session.ts';

interface BackLinkProps {
  to: string;
  /** The name of the page it leads to. */
  children: ReactNode;
  /** Called when the user leaves on purpose, e.g. to discard a draft. */
  onClick?: (() => void) | undefined;
}

/** A link back to the previous page; the list of students gets back its state. */
export function BackLink({ to, children, onClick }: BackLinkProps) {
  const isToList = to === '/students';
  return (
    <Link
      to={to}
      search={isToList ? storedStudentsSearch() : {}}
      state={{ isWayBack: isToList }}
      // The list restores its own scroll position.
      resetScroll={!isToList}
      onClick={onClick}
      className="screen-only wrap-anywhere mb-1.5 inline-flex min-h-6 items-center gap-1.5 self-start font-medium text-fg-3 text-label hover:text-ink-text"
    >
      <ArrowLeft className="size-3.5 shrink-0" />
      {children}
    </Link>
  );
}
