import { useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { StudentListItem, StudentView } from '../../../../contract/students/student-list.ts';
import { pageIndexQuery, serializeView, studentPageQuery } from './list-query.ts';
import {
  EMPTY_PAGE_INDEX,
  emptyIndexOfLength,
  FIRST_PAGE,
  type PageIndex,
  pagesInRange,
} from './page-index.ts';

/**
 * Loads the first page of the wanted view. `shown` is the view whose rows can be shown: the previous one stays until the
 * new one is loaded, so that the list never goes blank, and while the pointer is pressed, since a click on a row that is
 * replaced before the release is lost.
 */
export function useListQuery(wanted: StudentView) {
  const [shown, setShown] = useState<StudentView>();
  const first = useQuery({
    ...studentPageQuery(wanted, FIRST_PAGE),
    // The loading overlay is for a page without content.
    meta: shown === undefined ? { isPageRead: true, loading: 'students' } : {},
  });
  const isShown = shown !== undefined && serializeView(shown) === serializeView(wanted);
  const isLoaded = first.data !== undefined && !isShown;
  const isHeldBack = useIsPressed(isLoaded);
  if (isLoaded && !isHeldBack) setShown(wanted);
  const pages = usePageIndex(shown ?? wanted);
  return { first, shown, pages, isBehind: shown !== undefined && !isShown };
}

/** The page index of a view. While it is rebuilt after a change, the list keeps its length. */
function usePageIndex(view: StudentView): PageIndex {
  const { data } = useQuery(pageIndexQuery(view));
  const key = serializeView(view);
  const last = useRef({ key, pages: EMPTY_PAGE_INDEX });
  if (data !== undefined) last.current = { key, pages: data };
  return data ?? (last.current.key === key ? emptyIndexOfLength(last.current.pages) : EMPTY_PAGE_INDEX);
}

/** Rows fetched beyond the visible ones: more below, since most scrolling goes down. */
const ROWS_ABOVE = 50;
const ROWS_BELOW = 250;

interface RowRange {
  from: number;
  /** The row after the last. */
  to: number;
}

/**
 * Loads the pages around the visible rows, and those of `others`. Pages far from them leave the cache after a while.
 *
 * @returns the loaded student of a row, and a failed request, if any
 */
export function useLoadedRows(
  view: StudentView,
  pages: PageIndex,
  { from, to }: RowRange,
  others: readonly number[],
) {
  const around = pagesInRange(pages, Math.max(0, from - ROWS_ABOVE), to + ROWS_BELOW);
  const distant = others
    .filter((row) => row < pages.known)
    .flatMap((row) => pagesInRange(pages, row, row + 1))
    .filter(({ first }) => !around.some((start) => start.first === first));
  const starts = [...distant, ...around];
  const reads = useQueries({ queries: starts.map((start) => studentPageQuery(view, start)) });
  const rowAt = (row: number): StudentListItem | undefined => {
    for (const [i, { first }] of starts.entries()) {
      const student = reads[i]?.data?.students[row - first];
      if (student !== undefined) return student;
    }
    return undefined;
  };
  const failed = reads.find(({ isError }) => isError);
  return { rowAt, failed };
}

let isPressed = false;

function subscribe(onChange: () => void): () => void {
  const press = ({ button }: PointerEvent) => {
    // Only the main button clicks, and the release of others is not always reported.
    if (button !== 0) return;
    isPressed = true;
    onChange();
  };
  const release = () => {
    isPressed = false;
    onChange();
  };
  // The click follows the release, in the same task.
  const releaseAfterClick = () => setTimeout(release);
  window.addEventListener('pointerdown', press, { capture: true });
  window.addEventListener('pointerup', releaseAfterClick, { capture: true });
  window.addEventListener('pointercancel', release, { capture: true });
  window.addEventListener('blur', release);
  return () => {
    isPressed = false;
    window.removeEventListener('pointerdown', press, { capture: true });
    window.removeEventListener('pointerup', releaseAfterClick, { capture: true });
    window.removeEventListener('pointercancel', release, { capture: true });
    window.removeEventListener('blur', release);
  };
}

/** Whether the main button of the pointer is pressed. Renders again on a press or release only while `isWanted`. */
const useIsPressed = (isWanted: boolean): boolean =>
  useSyncExternalStore(subscribe, () => isWanted && isPressed);
