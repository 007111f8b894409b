import { useQueries, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Keyboard, LogOut, Moon, Search, Sun } from 'lucide-react';
import { useMemo, useState } from 'react';
import { coursesQuery } from '../courses/course-queries.ts';
import { toSearchableCourse } from '../courses/course-search.ts';
import { recentPages } from '../lib/navigation/recent-pages.ts';
import { toggleTheme, useTheme } from '../lib/page/theme.ts';
import { useCanWrite, useCurrentUser, useIsTeacher } from '../lib/session.ts';
import { savedViewsQuery } from '../students/list/saved-views/use-saved-views.ts';
import { listedStudentQuery } from '../students/student-queries.ts';
import {
  courseOption,
  GROUPS,
  matchingCourses,
  matchingOptions,
  type PaletteOption,
  screenOption,
  studentOption,
  viewOption,
} from './options.ts';
import { availableScreens, idFromPath, recentPagePath, type ScreenEntry } from './screens.ts';
import { useStudentSearch } from './use-student-search.ts';

const STALE_MS = 60_000;

/** The options for `query`, in display order; without a query, the recent pages and all screens and actions. */
export function usePaletteOptions(query: string, acts: { onHelp: () => void; onLogout: () => void }) {
  const isTeacher = useIsTeacher();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const screens = availableScreens(useCanWrite(), { isAdmin, isTeacher });
  const actions = useActionOptions(acts);
  const recent = useRecentOptions(screens);
  const found = useStudentSearch(isTeacher ? '' : query);
  const courses = useQuery({ ...coursesQuery, staleTime: STALE_MS, enabled: !isTeacher });
  const views = useQuery({ ...savedViewsQuery, staleTime: STALE_MS, enabled: !isTeacher });
  const allCourses = useMemo(() => (courses.data ?? []).map(toSearchableCourse), [courses.data]);
  const courseOptions = useMemo(() => matchingCourses(allCourses, query), [allCourses, query]);

  const fixed = [...screens.map(screenOption), ...actions];
  const isBlank = query.trim() === '';
  const all = isBlank
    ? [...recent, ...fixed.filter(({ id }) => recent.every((option) => option.id !== id))]
    : [
        ...matchingOptions([...fixed, ...(views.data ?? []).map(viewOption)], query),
        ...found.students.map((student) => studentOption(student, query)),
        ...(found.hasMore ? [allMatchesOption(query.trim())] : []),
        ...courseOptions,
      ];
  return {
    options: GROUPS.flatMap((group) => all.filter((option) => option.group === group)),
    isSearching: !isBlank && (found.isSearching || courses.isLoading),
    error: isBlank ? null : (found.error ?? courses.error),
    tryAgain: () => {
      if (found.error) void found.searchAgain();
      if (courses.error) void courses.refetch();
    },
  };
}

const allMatchesOption = (text: string): PaletteOption => ({
  id: 'all-that-match',
  group: 'Students',
  Icon: Search,
  label: 'All students that match',
  href: `/students?${new URLSearchParams({ q: text })}`,
});

const MAX_RECENT = 60_000;

/** The recent pages except the current one. Deleted records are left out. */
function useRecentOptions(screens: readonly ScreenEntry[]): PaletteOption[] {
  const here = useLocation({ select: ({ pathname }) => recentPagePath(pathname) });
  const [places] = useState(() => recentPages().filter((place) => place !== here));
  const courses = useQuery({ ...coursesQuery, staleTime: MAX_RECENT, enabled: !useIsTeacher() });
  const ids = places.flatMap((place) => idFromPath(place, 'students') ?? []);
  const students = useQueries({
    queries: ids.map((id) => ({ ...listedStudentQuery(id), staleTime: MAX_RECENT })),
  });

  const toOption = (place: string): PaletteOption | undefined => {
    const screen = screens.find(({ path }) => path === place);
    if (screen) return screenOption(screen);
    const student = students[ids.indexOf(idFromPath(place, 'students') ?? '')]?.data;
    if (student) return studentOption(student);
    const courseId = Number(idFromPath(place, 'courses'));
    const course = courses.data?.find(({ course_id }) => course_id === courseId);
    return course && courseOption(course);
  };
  return places.flatMap((place) => {
    const option = toOption(place);
    return option === undefined ? [] : [{ ...option, group: 'Recent' as const }];
  });
}

interface Acts {
  onHelp: () => void;
  onLogout: () => void;
}

/** Actions that are available on every screen. */
function useActionOptions({ onHelp, onLogout }: Acts): PaletteOption[] {
  const isDark = useTheme() === 'dark';
  const group = 'Actions';
  return [
    {
      id: 'theme',
      group,
      Icon: isDark ? Sun : Moon,
      run: toggleTheme,
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      words: 'switch theme colours mode',
    },
    {
      id: 'help',
      group,
      Icon: Keyboard,
      run: onHelp,
      label: 'Keyboard shortcuts',
      words: 'help keys',
      keys: ['?'],
    },
    { id: 'logout', group, Icon: LogOut, run: onLogout, label: 'Logout', words: 'log sign out' },
  ];
}
