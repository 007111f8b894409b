import { Link } from '@tanstack/react-router';
import { BookOpen, ChartColumn, GraduationCap, History, House, LogOut, Users } from 'lucide-react';
import { useCurrentUser } from '../session.ts';

const ENTRIES = [
  { to: '/', name: 'Home', Icon: House },
  { to: '/list-users', name: 'Users', Icon: Users },
  { to: '/students', name: 'Students', Icon: GraduationCap },
  { to: '/courses', name: 'Courses', Icon: BookOpen },
  { to: '/insights', name: 'Insights', Icon: ChartColumn },
] as const;
const ADMIN_ENTRIES = [...ENTRIES, { to: '/history', name: 'History', Icon: History }] as const;

interface NavEntriesProps {
  onChoose?: () => void;
  onLogout: () => void;
}

/** The entries of the sidebar and of the slide-out menu. */
export function NavEntries({ onChoose, onLogout }: NavEntriesProps) {
  const entries = useCurrentUser()?.role === 'admin' ? ADMIN_ENTRIES : ENTRIES;
  return (
    <nav className="nav-list" aria-label="Main">
      {entries.map(({ to, name, Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/' }}
          className="nav-entry"
          data-tip={name}
          onClick={onChoose}
        >
          <Icon strokeWidth={1.75} aria-hidden="true" />
          <span>{name}</span>
        </Link>
      ))}
      <button
        type="button"
        className="nav-entry mt-auto"
        data-tip="Logout"
        onClick={() => {
          onChoose?.();
          onLogout();
        }}
      >
        <LogOut strokeWidth={1.75} aria-hidden="true" />
        <span>Logout</span>
      </button>
    </nav>
  );
}
