import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { asLongAs, FIRST_PAGE, type KnownPages, NOTHING_KNOWN } from './list-pages.ts';
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
  const pages = useKnownPages(shown ?? wanted);
  return { first, shown, pages, isBehind: shown !== undefined && !isShown };
}

/** What is known of a view's pages. When that has been given up after a change, the list keeps its length for now. */
function useKnownPages(view: StudentView): KnownPages {
  const { data } = useQuery(knownPagesQuery(view));
  const key = keyOf(view);
  const last = useRef({ key, pages: NOTHING_KNOWN });
  if (data !== undefined) last.current = { key, pages: data };
  return data ?? (last.current.key === key ? asLongAs(last.current.pages) : NOTHING_KNOWN);
}
