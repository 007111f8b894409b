import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { FIRST_PAGE, NOTHING_KNOWN } from './list-pages.ts';
import { keyOf } from './list-view.ts';
import { knownPagesQuery, studentPageQuery } from './use-students.ts';

/** Shows the rows that are there until those of another view have come, so that the list never goes blank. */
export function useShownView(wanted: StudentView) {
  const [shown, setShown] = useState<StudentView>();
  const first = useQuery({
    ...studentPageQuery(wanted, FIRST_PAGE),
    // The loading overlay is for the page that has nothing to show yet.
    meta: shown === undefined ? { isPageRead: true, loading: 'students' } : {},
  });
  const isShown = shown !== undefined && keyOf(shown) === keyOf(wanted);
  if (first.data !== undefined && !isShown) setShown(wanted);
  const { data: pages = NOTHING_KNOWN } = useQuery(knownPagesQuery(shown ?? wanted));
  return { first, shown, pages, isBehind: shown !== undefined && !isShown };
}
