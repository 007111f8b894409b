import { useQueries, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { coursesQuery } from '../academics/use-courses.ts';
import { courseOption, type PaletteOption, screenOption, studentOption } from './options.ts';
import { idIn, placeOf, type ScreenPlace } from './places.ts';
import { recentPlaces } from './recent-places.ts';
import { readStudents } from './use-found-students.ts';

const KEPT = 60_000;

/** Where the person was last, but for where they are. What has been deleted since is left out. */
export function useRecentOptions(screens: readonly ScreenPlace[]): PaletteOption[] {
  const here = useLocation({ select: ({ pathname }) => placeOf(pathname) });
  const [places] = useState(() => recentPlaces().filter((place) => place !== here));
  const courses = useQuery({ ...coursesQuery, staleTime: KEPT });
  const ids = places.flatMap((place) => idIn(place, 'students') ?? []);
  const students = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['students', 'palette', 'one', id],
      // Asked for as a search: an ID that is gone since is an empty answer, not a fault.
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await readStudents(id, 1, signal)).students.find((student) => student.id === id) ?? null,
      staleTime: KEPT,
    })),
  });

  const optionOf = (place: string): PaletteOption | undefined => {
    const screen = screens.find(({ path }) => path === place);
    if (screen) return screenOption(screen);
    const student = students[ids.indexOf(idIn(place, 'students') ?? '')]?.data;
    if (student) return studentOption(student);
    const courseId = Number(idIn(place, 'courses'));
    const course = courses.data?.find(({ course_id }) => course_id === courseId);
    return course && courseOption(course);
  };
  return places.flatMap((place) => {
    const option = optionOf(place);
    return option === undefined ? [] : [{ ...option, group: 'Recent' as const }];
  });
}
