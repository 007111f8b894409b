import {
  BellRing,
  BookOpen,
  CalendarDays,
  CalendarPlus,
  ChartColumn,
  FileBadge,
  FileSpreadsheet,
  FileUp,
  GraduationCap,
  History,
  House,
  ListTree,
  LockKeyhole,
  type LucideIcon,
  Plus,
  Scale,
  Settings,
  Table2,
  Undo2,
  Users,
} from 'lucide-react';
import type { ImportKind } from '../../contract/imports.ts';

/** A screen in the palette; some also have a shortcut of two keys. */
export interface ScreenEntry {
  path: string;
  name: string;
  Icon: LucideIcon;
  /** Further search words. */
  words: string;
  keys?: readonly [string, string];
  /** Creates a record. */
  creates?: true;
  /** Hidden from users who may only read. */
  isForWriters?: true;
  /** For administrators only. */
  isForAdmins?: true;
}

const SCREENS: readonly ScreenEntry[] = [
  { path: '/', name: 'Home', Icon: House, words: 'dashboard', keys: ['g', 'h'] },
  { path: '/students', name: 'Students', Icon: GraduationCap, words: 'list dashboard', keys: ['g', 's'] },
  { path: '/courses', name: 'Courses', Icon: BookOpen, words: 'catalogue marks', keys: ['g', 'c'] },
  {
    path: '/marksheets',
    name: 'Mark sheets',
    Icon: Table2,
    words: 'marksheets marks grades grid',
    keys: ['g', 'm'],
  },
  {
    path: '/insights',
    name: 'Insights',
    Icon: ChartColumn,
    words: 'statistics figures pass rates',
    keys: ['g', 'i'],
  },
  {
    path: '/reports',
    name: 'Reports',
    Icon: FileSpreadsheet,
    words: 'ranking result summary dean’s list degree check audit class',
    keys: ['g', 'r'],
  },
  {
    path: '/list-users',
    name: 'Users',
    Icon: Users,
    words: 'your profile account password',
    keys: ['g', 'u'],
  },
  {
    path: '/students/create',
    name: 'Create New Entry',
    Icon: Plus,
    words: 'add a student',
    keys: ['c', 's'],
    creates: true,
    isForWriters: true,
  },
  {
    path: '/courses/create',
    name: 'Create New Course',
    Icon: Plus,
    words: 'add a course',
    keys: ['c', 'c'],
    creates: true,
    isForWriters: true,
  },
  {
    path: '/marksheets/new',
    name: 'Create New Mark Sheet',
    Icon: Plus,
    words: 'marksheet marks grid',
    creates: true,
    isForWriters: true,
  },
  {
    path: '/marksheets/open',
    name: 'Open a term',
    Icon: CalendarPlus,
    words: 'mark sheets classes scheme registration semester',
    isForAdmins: true,
  },
  {
    path: '/marksheets/notifications',
    name: 'Result notifications',
    Icon: BellRing,
    words: 'mark sheets final provisional class announce',
  },
  ...importScreens(),
  {
    path: '/documents',
    name: 'Documents',
    Icon: FileBadge,
    words: 'papers register transcripts result cards serial revoke',
    isForWriters: true,
  },
  {
    path: '/documents/holds',
    name: 'Holds',
    Icon: LockKeyhole,
    words: 'documents fees library defaulters blocked release',
  },
  {
    path: '/imports',
    name: 'Imports',
    Icon: FileUp,
    words: 'undo csv workbook excel upload',
    isForWriters: true,
  },
  {
    path: '/bulk-changes',
    name: 'Bulk changes',
    Icon: Undo2,
    words: 'many students undo deleted restore',
    isForWriters: true,
  },
  {
    path: '/history',
    name: 'History',
    Icon: History,
    words: 'changes log restore deleted',
    isForAdmins: true,
  },
  {
    path: '/settings',
    name: 'Settings',
    Icon: Settings,
    words: 'institution logo address signatories',
    isForAdmins: true,
  },
  {
    path: '/settings/terms',
    name: 'Terms',
    Icon: CalendarDays,
    words: 'settings calendar dates',
    isForAdmins: true,
  },
  {
    path: '/settings/grading',
    name: 'Grading policies',
    Icon: Scale,
    words: 'settings rules repeats standing probation degree honours',
    isForAdmins: true,
  },
  {
    path: '/settings/schemes',
    name: 'Schemes',
    Icon: ListTree,
    words: 'settings scheme of studies curriculum audit rows',
    isForAdmins: true,
  },
];

/** A new import of each kind. */
function importScreens(): ScreenEntry[] {
  const kinds = {
    students: 'students with families',
    results: 'semester results',
    courses: 'courses',
    marks: 'course marks',
  } satisfies Record<Exclude<ImportKind, 'scheme'>, string>;
  return Object.entries(kinds).map(([kind, records]) => ({
    path: `/imports/new?kind=${kind}`,
    name: `Import ${records}`,
    Icon: FileUp,
    words: 'csv workbook excel upload file',
    creates: true,
    isForWriters: true,
  }));
}

const TEACHER_PATHS: readonly string[] = ['/', '/list-users', '/marksheets'];

/** The screens that the user's role may open. */
export const availableScreens = (canWrite: boolean, { isAdmin = false, isTeacher = false } = {}) =>
  SCREENS.filter(
    ({ path, isForWriters, isForAdmins }) =>
      (canWrite || !isForWriters) &&
      (isAdmin || !isForAdmins) &&
      (!isTeacher || TEACHER_PATHS.includes(path)),
  );

export const studentHref = (id: string) => `/students/${encodeURIComponent(id)}`;
export const courseHref = (id: number) => `/courses/${id}`;

/** The recent page that a path belongs to: a screen, or the page of its student or course; null for others. */
export function recentPagePath(pathname: string): string | null {
  const path = pathname.replace(/(?<=.)\/+$/, '');
  if (SCREENS.some((screen) => screen.path === path)) return path;
  return /^\/(?:students|courses)\/[^/]+/.exec(path)?.[0] ?? null;
}

/** The ID in the path of a student or course. */
export function idFromPath(place: string, kind: 'students' | 'courses'): string | null {
  const [, encoded] = new RegExp(`^/${kind}/([^/]+)$`).exec(place) ?? [];
  if (encoded === undefined || SCREENS.some(({ path }) => path === place)) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
