import {
  BookOpen,
  ChartColumn,
  GraduationCap,
  History,
  House,
  type LucideIcon,
  Plus,
  Users,
} from 'lucide-react';

/** A screen that can be gone to by its name, or by two keys one after the other. */
export interface ScreenPlace {
  path: string;
  name: string;
  Icon: LucideIcon;
  /** Further words that it is found by. */
  words: string;
  keys?: readonly [string, string];
  /** It makes something new, so it is not offered to those who only read. */
  creates?: true;
  /** It is for administrators. */
  isForAdmins?: true;
}

const SCREENS: readonly ScreenPlace[] = [
  { path: '/', name: 'Home', Icon: House, words: 'dashboard', keys: ['g', 'h'] },
  { path: '/students', name: 'Students', Icon: GraduationCap, words: 'list dashboard', keys: ['g', 's'] },
  { path: '/courses', name: 'Courses', Icon: BookOpen, words: 'catalogue marks', keys: ['g', 'c'] },
  {
    path: '/insights',
    name: 'Insights',
    Icon: ChartColumn,
    words: 'statistics figures pass rates',
    keys: ['g', 'i'],
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
  },
  {
    path: '/courses/create',
    name: 'Create New Course',
    Icon: Plus,
    words: 'add a course',
    keys: ['c', 'c'],
    creates: true,
  },
  {
    path: '/history',
    name: 'History',
    Icon: History,
    words: 'changes log restore deleted',
    isForAdmins: true,
  },
];

/** The screens that a person's role lets them use. */
export const screensFor = (mayWrite: boolean, isAdmin = false) =>
  SCREENS.filter(({ creates, isForAdmins }) => (mayWrite || !creates) && (isAdmin || !isForAdmins));

export const studentHref = (id: string) => `/students/${encodeURIComponent(id)}`;
export const courseHref = (id: number) => `/courses/${id}`;

/** The place that a path belongs to: a screen, or a student or course with all its pages; null for none. */
export function placeOf(pathname: string): string | null {
  const path = pathname.replace(/(?<=.)\/+$/, '');
  if (SCREENS.some((screen) => screen.path === path)) return path;
  return /^\/(?:students|courses)\/[^/]+/.exec(path)?.[0] ?? null;
}

/** The ID in a student's or a course's place. */
export function idIn(place: string, kind: 'students' | 'courses'): string | null {
  const [, encoded] = new RegExp(`^/${kind}/([^/]+)$`).exec(place) ?? [];
  if (encoded === undefined || SCREENS.some(({ path }) => path === place)) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
