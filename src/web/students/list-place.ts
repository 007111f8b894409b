import { useLocation } from '@tanstack/react-router';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { ListEnd } from './use-list-window.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list of students is come back to, and is to be as it was left. */
    isWayBack?: boolean;
  }
}

/** Where in the list a person was when they left it. */
export interface ListPlace {
  end: ListEnd;
  /** First row that the page had room for. */
  low: number;
  /** Undefined: where the active row is. */
  scrollY: number | undefined;
  /** The row that had the focus. */
  active: number | undefined;
  /** The rows whose height is known: not all are as high as most. */
  measured: VirtualItem[];
}

/** By the entry of the history, and the view that it showed. */
const places = new Map<string, { viewKey: string; place: ListPlace }>();
const MOST_PLACES = 50;

function leavePlace(entry: string, viewKey: string, place: ListPlace): void {
  places.delete(entry);
  places.set(entry, { viewKey, place });
  const [oldest] = places.keys();
  if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
}

/**
 * @param entry of the history that is shown
 * @param isWayBack a link that leads back to the list as it was left last, in a new entry
 */
export function placeIn(entry: string, viewKey: string, isWayBack: boolean): ListPlace | undefined {
  const left = places.get(entry) ?? (isWayBack ? [...places.values()].at(-1) : undefined);
  return left?.viewKey === viewKey ? left.place : undefined;
}

/** The entry of the history that is shown. */
export const useEntry = (): string => useLocation({ select: ({ state }) => state.__TSR_key ?? '' });

/** Whether a link has led back to the list as it was left. */
export const useIsWayBack = (): boolean => useLocation({ select: ({ state }) => state.isWayBack === true });

/** Whether the list is come back to, rather than opened anew. */
export function useIsComeBackTo(): boolean {
  const entry = useEntry();
  return useIsWayBack() || places.has(entry);
}

/** Remembers at leaving where the list was. */
export function useLeavePlace(entry: string, viewKey: string, placeNow: () => ListPlace): void {
  const latest = useRef(placeNow);
  useLayoutEffect(() => {
    latest.current = placeNow;
  });
  useLayoutEffect(() => () => leavePlace(entry, viewKey, latest.current()), [entry, viewKey]);
}
