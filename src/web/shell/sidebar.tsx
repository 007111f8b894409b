import { Link } from '@tanstack/react-router';
import {
  ArrowLeft,
  BookOpen,
  ChartColumn,
  DraftingCompass,
  FileSpreadsheet,
  GraduationCap,
  History,
  House,
  LogOut,
  type LucideIcon,
  Settings,
  Table2,
  Users,
  X,
} from 'lucide-react';
import { storeNavExpanded, useCurrentUser, useIsTeacher, useNavExpanded } from '../lib/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Modal } from '../ui/dialog/modal.tsx';
import { Initials } from './initials.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const ENTRIES = [
  { to: '/', name: 'Home', Icon: House },
  { to: '/list-users', name: 'Users', Icon: Users },
  { to: '/students', name: 'Students', Icon: GraduationCap },
  { to: '/courses', name: 'Courses', Icon: BookOpen },
  { to: '/marksheets', name: 'Mark sheets', Icon: Table2 },
  { to: '/insights', name: 'Insights', Icon: ChartColumn },
  { to: '/reports', name: 'Reports', Icon: FileSpreadsheet },
] as const;
const TEACHER_ENTRIES = ENTRIES.filter(({ to }) => ['/', '/list-users', '/marksheets'].includes(to));
const ADMIN_ENTRIES = [...ENTRIES, { to: '/history', name: 'History', Icon: History }] as const;

interface NavLinksProps {
  onChoose?: () => void;
  onLogout: () => void;
}

/** The links of the sidebar and of the slide-out menu. */
function NavLinks({ onChoose, onLogout }: NavLinksProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const isTeacher = useIsTeacher();
  const entries = isAdmin ? ADMIN_ENTRIES : isTeacher ? TEACHER_ENTRIES : ENTRIES;
  return (
    <nav className="nav-list" aria-label="Main">
      {entries.map((entry) => (
        <NavLink key={entry.to} {...entry} onChoose={onChoose} />
      ))}
      {/* Pushes the entries below to the bottom. */}
      <div className="mt-auto" />
      {isAdmin && <NavLink to="/settings" name="Settings" Icon={Settings} onChoose={onChoose} />}
      <button
        type="button"
        className="nav-entry"
        data-tip="Logout"
        onClick={() => {
          onChoose?.();
          onLogout();
        }}
      >
        <LogOut />
        <span>Logout</span>
      </button>
    </nav>
  );
}

interface NavLinkProps {
  to: string;
  name: string;
  Icon: LucideIcon;
  onChoose: (() => void) | undefined;
}

function NavLink({ to, name, Icon, onChoose }: NavLinkProps) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/' }}
      className="nav-entry"
      data-tip={name}
      onClick={onChoose}
    >
      <Icon />
      <span>{name}</span>
    </Link>
  );
}

/** From 1280 px: 120 px wide with labels, 60 px without. */
export function Sidebar({ onLogout }: { onLogout: () => void }) {
  const isNavExpanded = useNavExpanded();
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <div className="flex h-(--bar-h) shrink-0 items-center gap-2 ps-4.75 pe-2 font-[650] text-section tracking-[-.01em]">
        <DraftingCompass className="size-5 shrink-0 text-ink-text" />
        <span className="nav-words">Admin</span>
      </div>
      <NavLinks onLogout={onLogout} />
      <div className="border-line border-t p-2">
        <button
          type="button"
          className="nav-entry"
          data-tip="Expand"
          aria-expanded={isNavExpanded}
          aria-label={`${isNavExpanded ? 'Collapse' : 'Expand'} navigation`}
          onClick={() => storeNavExpanded(!isNavExpanded)}
        >
          <ArrowLeft className="nav-arrow" />
          <span>{isNavExpanded ? 'Collapse' : 'Expand'}</span>
        </button>
      </div>
    </aside>
  );
}

interface MenuDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  onLogout: () => void;
}

/** The slide-out menu below 1280 px. The X, the backdrop, Escape and any choice close it. */
export function MenuDrawer({ isOpen, onClose, onLogout }: MenuDrawerProps) {
  const user = useCurrentUser();
  return (
    <Modal isOpen={isOpen} onClose={onClose} name="Menu" className="layer-menu" closesOnBackdrop>
      <div className="flex h-(--bar-h-touch) shrink-0 items-center gap-2.5 border-line border-b ps-5 pe-1.5 font-[650] text-[1.0625rem]">
        <DraftingCompass className="size-5 text-ink-text" />
        <span className="flex-1">Admin</span>
        <IconButton label="Close menu" large onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <NavLinks onChoose={onClose} onLogout={onLogout} />
      <div className="flex items-center gap-3 border-line border-t px-5 py-3.5 text-label">
        <Initials name={user?.name ?? ''} className="size-8 text-caption" />
        <Link to="/list-users" onClick={onClose} className="min-w-0 flex-1 hover:text-ink-text">
          <b className="block truncate font-semibold">{user?.name}</b>
          <span className="block truncate text-caption text-fg-3">{user?.email}</span>
        </Link>
        <ThemeSwitch />
      </div>
    </Modal>
  );
}
