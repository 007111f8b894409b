import { useLocation } from '@tanstack/react-router';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A link leads back to the list of students, which is shown as the user left it. */
    isWayBack?: boolean;
  }
}

/** The end of the view that its rows are counted from. Rows counted from the last one are drawn upwards. */
export type ListEnd = 'start' | 'end';

/** Where in the list the user was when they left it. */
export interface ScrollPosition {
  end: ListEnd;
  /** First row of the segment that the page had height for. */
  segmentStart: number;
  /** Undefined: where the active row is. */
  scrollY: number | undefined;
  /** The row that had the focus. */
  active: number | undefined;
  /** The measured heights: some rows are higher than most. */
  measured: VirtualItem[];
}

/** The position by key of the history entry, with the view that the list showed. The oldest comes first. */
const positions = new Map<string, { viewKey: string; position: ScrollPosition }>();
const MAX_POSITIONS = 50;

function savePosition(historyKey: string, viewKey: string, position: ScrollPosition): void {
  positions.delete(historyKey);
  positions.set(historyKey, { viewKey, position });
  const [oldest] = positions.keys();
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
}

/**
 * @param historyKey of the current history entry
 * @param isBackLink a link made a new entry, and restores the latest state of the list
 */
export function savedScrollPosition(
  historyKey: string,
  viewKey: string,
  isBackLink: boolean,
): ScrollPosition | undefined {
  const saved = positions.get(historyKey) ?? (isBackLink ? [...positions.values()].at(-1) : undefined);
  return saved?.viewKey === viewKey ? saved.position : undefined;
}

/** The key of the current history entry. */
export const useHistoryKey = (): string => useLocation({ select: ({ state }) => state.__TSR_key ?? '' });

/** Whether a link has led back to the list. */
export const useIsBackLink = (): boolean => useLocation({ select: ({ state }) => state.isWayBack === true });

/** Whether the user returns to the list, rather than opening it for the first time. */
export function useIsReturning(): boolean {
  const historyKey = useHistoryKey();
  return useIsBackLink() || positions.has(historyKey);
}

/** Saves the position when the list is left. */
export function useSaveScrollPosition(
  historyKey: string,
  viewKey: string,
  currentPosition: () => ScrollPosition,
): void {
  const latest = useRef(currentPosition);
  useLayoutEffect(() => {
    latest.current = currentPosition;
  });
  useLayoutEffect(() => () => savePosition(historyKey, viewKey, latest.current()), [historyKey, viewKey]);
}
