import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PageTab {
  /** Its address. */
  to: string;
  name: string;
  /** Beside the name, such as a number. */
  note?: ReactNode;
}

interface PageTabsProps {
  /** What the tabs belong to. */
  label: string;
  tabs: readonly PageTab[];
  className?: string;
}

/** The tabs of a page; each has an address of its own. */
export function PageTabs({ label, tabs, className = 'mb-3' }: PageTabsProps) {
  return (
    <nav aria-label={label} className={`page-tabs screen-only ${className}`}>
      {tabs.map(({ to, name, note }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} resetScroll={false}>
          {name}
          {note !== undefined && <span className="ms-1.5 font-normal text-fg-3">{note}</span>}
        </Link>
      ))}
    </nav>
  );
}
