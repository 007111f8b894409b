import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { coursesQuery } from '../academics/use-courses.ts';
import { toFoundCourse } from '../courses/course-search.ts';
import { useCurrentUser, useMayWrite } from '../session.ts';
import { viewsQuery } from '../students/use-saved-views.ts';
import {
  foundCourses,
  foundOptions,
  GROUPS,
  type PaletteOption,
  screenOption,
  studentOption,
  viewOption,
} from './options.ts';
import { screensFor } from './places.ts';
import { useActions } from './use-actions.ts';
import { useFoundStudents } from './use-found-students.ts';
import { useRecentOptions } from './use-recent-options.ts';

const KEPT = 60_000;

/** What `query` finds, in the order shown; with nothing typed, where the person was last and all there is to do. */
export function usePaletteOptions(query: string, acts: { onHelp: () => void; onLogout: () => void }) {
  const screens = screensFor(useMayWrite(), useCurrentUser()?.role === 'admin');
  const actions = useActions(acts);
  const recent = useRecentOptions(screens);
  const found = useFoundStudents(query);
  const courses = useQuery({ ...coursesQuery, staleTime: KEPT });
  const views = useQuery({ ...viewsQuery, staleTime: KEPT });
  const allCourses = useMemo(() => (courses.data ?? []).map(toFoundCourse), [courses.data]);
  const courseOptions = useMemo(() => foundCourses(allCourses, query), [allCourses, query]);

  const fixed = [...screens.map(screenOption), ...actions];
  const isBlank = query.trim() === '';
  const all = isBlank
    ? [...recent, ...fixed.filter(({ id }) => recent.every((option) => option.id !== id))]
    : [
        ...foundOptions([...fixed, ...(views.data ?? []).map(viewOption)], query),
        ...found.students.map((student) => studentOption(student, query)),
        ...(found.hasMore ? [allThatMatch(query.trim())] : []),
        ...courseOptions,
      ];
  return {
    options: GROUPS.flatMap((group) => all.filter((option) => option.group === group)),
    isSearching: !isBlank && (found.isSearching || courses.isPending),
    error: isBlank ? null : (found.error ?? courses.error),
    tryAgain: () => {
      if (found.error) void found.searchAgain();
      if (courses.error) void courses.refetch();
    },
  };
}

const allThatMatch = (text: string): PaletteOption => ({
  id: 'all-that-match',
  group: 'Students',
  Icon: Search,
  label: 'All students that match',
  href: `/students?${new URLSearchParams({ q: text })}`,
});
