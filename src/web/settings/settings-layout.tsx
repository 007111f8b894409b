import { Link, Outlet } from '@tanstack/react-router';
import { CalendarDays, Landmark, ListTree, Scale } from 'lucide-react';
import { useCurrentUser } from '../lib/session.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';

/** Wraps the pages that only administrators may open; others get a notice instead. */
export function AdminsOnly() {
  if (useCurrentUser()?.role === 'admin') return <Outlet />;
  return (
    <Page>
      <EmptyState heading="h1" title="Only an administrator can change the settings." />
    </Page>
  );
}

const SECTIONS = [
  { to: '/settings', name: 'Institution', Icon: Landmark },
  { to: '/settings/terms', name: 'Terms', Icon: CalendarDays },
  { to: '/settings/grading', name: 'Grading policies', Icon: Scale },
  { to: '/settings/schemes', name: 'Schemes', Icon: ListTree },
] as const;

/** The sections of the settings beside the chosen one; above it on small screens. */
export function SettingsLayout() {
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] gap-x-12 gap-y-5 lg:grid-cols-[168px_minmax(0,1fr)] lg:grid-rows-1">
        <nav
          aria-label="Settings"
          className="screen-only flex flex-wrap content-start gap-0.5 lg:flex-col lg:flex-nowrap"
        >
          {SECTIONS.map(({ to, name, Icon }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: true }}
              className="flex min-h-9 items-center gap-2.25 rounded-control px-3 font-medium text-fg-2 text-label hover:bg-hover hover:text-fg aria-[current=page]:bg-ink-soft aria-[current=page]:font-semibold aria-[current=page]:text-ink-text pointer-coarse:min-h-11 [&_svg]:size-4"
            >
              <Icon />
              {name}
            </Link>
          ))}
        </nav>
        <div className="flex min-w-0 flex-col">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
