import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { studentsSearch } from '../session.ts';

interface BackLinkProps {
  to: string;
  /** The name of the page it leads to. */
  children: ReactNode;
  /** Leaving on purpose: the place to discard a draft. */
  onClick?: (() => void) | undefined;
}

/** Leads back to where the person came from; the list of students is found as it was left. */
export function BackLink({ to, children, onClick }: BackLinkProps) {
  const isToList = to === '/students';
  return (
    <Link
      to={to}
      search={isToList ? studentsSearch() : {}}
      state={{ isWayBack: isToList }}
      // The list scrolls to where it was left by itself.
      resetScroll={!isToList}
      onClick={onClick}
      className="wrap-anywhere mb-1.5 inline-flex min-h-6 items-center gap-1.5 self-start font-medium text-fg-3 text-label hover:text-ink-text"
    >
      <ArrowLeft className="size-3.5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      {children}
    </Link>
  );
}
